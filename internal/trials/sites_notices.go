package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/place"
	"github.com/biofact-mcp/biofact/internal/tool"
	"github.com/biofact-mcp/biofact/internal/trials/filters"
)

// siteNotices returns notices about the sites that were found.
func (q *siteQuery) siteNotices(trial siteTrial, found foundSites, from place.Spot) []string {
	notices := slices.Clone(q.readNotices)
	if q.near.Text != "" {
		notices = append(notices, q.near.DistanceNotice(from))
	}
	notices = append(notices, q.withoutPoint(found)...)
	switch {
	case len(trial.sites) == 0:
		return append(notices, "The record of this trial names no site.")
	case len(found.sites) == 0:
		return append(notices, q.noSites(trial, found, from)...)
	case found.beyond:
		notices = append(notices, fmt.Sprintf("near: none of these sites is known to be within %s, the default of within. "+
			"All are listed.", q.radius.Text))
	}
	return append(notices, q.nearestRecruiting(trial, found, from)...)
}

// withoutPoint says how many sites have no distance, how many of these are in the city of near, and which call lists them.
func (q *siteQuery) withoutPoint(found foundSites) []string {
	call := func(change func(*tools.GetTrialLocationsArgs)) string {
		return tools.GetTrialLocations + " with " + q.callWith(func(a *tools.GetTrialLocationsArgs) {
			a.Near, a.Within, a.Order = "", "", ""
			change(a)
		})
	}
	var text string
	if found.unplaced > 0 {
		text = fmt.Sprintf("near: sites without coordinates in the record were left out: %d", found.unplaced)
	}
	recruits := 0
	for i := range found.named {
		if found.named[i].RecruitmentStatus == filters.Recruiting {
			recruits++
		}
	}
	inCity := func(a *tools.GetTrialLocationsArgs) {
		if len(a.City) == 0 {
			a.City = []string{q.near.At.String()}
		}
	}
	switch {
	case len(found.named) == 0 && text == "":
		return nil
	case len(found.named) == 0:
		return []string{text + ". To list them as well, call " + call(func(*tools.GetTrialLocationsArgs) {}) + "."}
	case text == "":
		text = "near: sites without coordinates in the record come last"
	}
	text += fmt.Sprintf(". Those whose city is %s: %d, recruiting: %d; call ", envelope.Quoted(q.near.City()), len(found.named), recruits)
	return []string{text + call(inCity) + "."}
}

// nearestSubject returns the beginning of a sentence about the nearest site.
func (found foundSites) nearestSubject() string {
	if found.unplaced > 0 {
		return "The nearest with coordinates"
	}
	return "The nearest"
}

// noSites says where the sites of a trial are if none matches, and which call finds some.
func (q *siteQuery) noSites(trial siteTrial, found foundSites, from place.Spot) []string {
	all := summaryOf(trial.sites)
	text := fmt.Sprintf("No site of this trial matches the arguments. Number of its sites: %d, in %s.", all.Sites, countries(all.ByCountry))
	text += q.withoutState(trial.sites)
	switch {
	case len(q.args.Status) == 0:
	case len(all.ByStatus) == 0:
		text += fmt.Sprintf(" They have no status of their own: the trial is %s.", trial.Status)
	default:
		var counts []string
		for _, c := range all.ByStatus {
			counts = append(counts, fmt.Sprintf("%s (%d)", c.RecruitmentStatus, c.Sites))
		}
		text += " Their statuses are " + strings.Join(counts, ", ") + "."
	}
	if found.nearest != nil {
		anywhere := q.callWith(func(a *tools.GetTrialLocationsArgs) { a.Within = "" })
		return []string{text, fmt.Sprintf("%s is in %s, %.1f km away: call %s with %s.",
			found.nearestSubject(), place.Name(found.nearest), *found.nearest.DistanceKM, tools.GetTrialLocations, anywhere)}
	}
	wider := q.wider(trial.sites, from, "Without ")
	if wider == "" && q.args.Within != "" {
		anyDistance := *q
		anyDistance.args.Within = ""
		anyDistance.radius, _ = place.ParseRadius(place.DefaultRadius)
		wider = anyDistance.wider(trial.sites, from, "Without within and ")
	}
	if wider != "" {
		text += " " + wider
	}
	return []string{text}
}

// withoutState says how many sites have no state in the record, if a state is requested.
func (q *siteQuery) withoutState(sites []entity.TrialLocation) string {
	if len(q.args.State) == 0 {
		return ""
	}
	anyState := *q
	anyState.args.State = nil
	sites = slices.DeleteFunc(slices.Clone(sites), func(site entity.TrialLocation) bool {
		return site.State != "" || !anyState.matches(&site)
	})
	if len(sites) == 0 {
		return ""
	}
	return fmt.Sprintf(" Sites without a state in the record, which state cannot find: %d. Find them by city or near.", len(sites))
}

// wider returns a sentence, with its first words, about the argument whose removal finds the most sites; "" if no single removal finds any.
func (q *siteQuery) wider(sites []entity.TrialLocation, from place.Spot, without string) string {
	best, sentence := 0, ""
	for _, drop := range []struct {
		name string
		from func(*tools.GetTrialLocationsArgs)
	}{
		{"facility", func(a *tools.GetTrialLocationsArgs) { a.Facility = "" }},
		{"city", func(a *tools.GetTrialLocationsArgs) { a.City = nil }},
		{"state", func(a *tools.GetTrialLocationsArgs) { a.State = nil }},
		{"country", func(a *tools.GetTrialLocationsArgs) { a.Country, a.Near = nil, q.near.Text }}, // a postal code keeps its country
		{"status", func(a *tools.GetTrialLocationsArgs) { a.Status = nil }},
	} {
		fewer := *q
		drop.from(&fewer.args)
		if count := len(fewer.find(sites, from).sites); count > best {
			best = count
			sentence = fmt.Sprintf("%s%s the call finds %d: call %s with %s.", without, drop.name, count, tools.GetTrialLocations,
				q.callWith(drop.from))
		}
	}
	return sentence
}

// callWith applies a change to a copy of the arguments of the call and returns them as JSON, for a hint.
func (q *siteQuery) callWith(change func(*tools.GetTrialLocationsArgs)) string {
	args := q.args
	args.NCTID = id.NCT.CURIE(args.NCTID)
	change(&args)
	text, err := entity.JSON(args)
	if err != nil {
		panic(err) // arguments are texts and lists of them
	}
	return string(text)
}

// nearestRecruiting names the nearest recruiting site if no site within the distance recruits.
func (q *siteQuery) nearestRecruiting(trial siteTrial, found foundSites, from place.Spot) []string {
	recruits := func(s entity.TrialLocation) bool { return s.RecruitmentStatus == filters.Recruiting }
	if q.near.Text == "" || len(q.args.Status) > 0 || found.beyond || slices.ContainsFunc(found.sites, recruits) {
		return nil
	}
	other := *q
	other.args.Status, other.args.Within = []string{string(filters.Recruiting)}, ""
	nearest := other.find(trial.sites, from).nearest
	if nearest == nil {
		return nil
	}
	return []string{fmt.Sprintf("None of these sites recruits. %s that does is in %s, %.1f km away: call %s with %s.",
		found.nearestSubject(), place.Name(nearest), *nearest.DistanceKM, tools.GetTrialLocations,
		other.callWith(func(*tools.GetTrialLocationsArgs) {}))}
}

// countries lists countries with their numbers of sites.
func countries(counts []entity.CountrySites) string {
	const shown = 20
	var names []string
	for _, c := range counts[:min(len(counts), shown)] {
		names = append(names, fmt.Sprintf("%s (%d)", c.Country, c.Sites))
	}
	switch more := len(counts) - shown; {
	case len(names) == 0:
		return "countries that the record does not name"
	case more > 0:
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d other countries", more)
	}
	return strings.Join(names, ", ")
}

// pageNotices returns notices about the sites of one page.
func (t *siteTrial) pageNotices(page []entity.TrialLocation, curie string) (notices []string) {
	if t.Status == "UNKNOWN" && slices.ContainsFunc(page, func(s entity.TrialLocation) bool { return s.RecruitmentStatus != "" }) {
		notices = append(notices, "The status of this trial is UNKNOWN, because its record was not kept up to date: "+
			"the statuses of its sites are the last known ones.")
	}
	without := 0
	for i := range page {
		if page[i].RecruitmentStatus == filters.Recruiting && !hasContact(page[i]) {
			without++
		}
	}
	reachable := slices.ContainsFunc(page, hasContact)
	switch {
	case len(t.CentralContacts) == 0 || len(page) == 0 || without == 0 && reachable:
		return notices
	case reachable:
		notices = append(notices, fmt.Sprintf("Recruiting sites here without a telephone number or e-mail address of their own: %d.",
			without))
	default:
		notices = append(notices, "No site here has a contact with a telephone number or e-mail address.")
	}
	notices[len(notices)-1] += " The contacts for the whole study are " + contactList(t.CentralContacts) +
		": central_contacts of get_trial with " + tool.Object("nct_id", curie) + "."
	return notices
}

// contactList lists contacts with their telephone numbers and e-mail addresses.
func contactList(contacts []entity.Contact) string {
	var all []string
	for _, c := range contacts {
		reached := slices.DeleteFunc([]string{c.Phone, c.Email}, func(s string) bool { return s == "" })
		text := strings.Join(reached, ", ")
		if c.Name != "" && text != "" {
			text = c.Name + " (" + text + ")"
		} else {
			text = c.Name + text
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// hasContact reports whether a site has a contact with a telephone number or an e-mail address.
func hasContact(l entity.TrialLocation) bool {
	return slices.ContainsFunc(l.Contacts, func(c entity.Contact) bool { return c.Phone != "" || c.Email != "" })
}

// summaryOf counts sites by country and by status.
func summaryOf(sites []entity.TrialLocation) *entity.SitesSummary {
	s := &entity.SitesSummary{Sites: len(sites)}
	known := slices.ContainsFunc(sites, func(l entity.TrialLocation) bool { return l.RecruitmentStatus != "" })
	countries, statuses := map[string]int{}, map[entity.RecruitmentStatus]int{} // indexes in the lists
	for i := range sites {
		if country := sites[i].Country; country != "" {
			at, listed := countries[country]
			if !listed {
				at = len(s.ByCountry)
				countries[country] = at
				s.ByCountry = append(s.ByCountry, entity.CountrySites{Country: country})
				if known {
					s.ByCountry[at].Recruiting = new(int)
				}
			}
			if s.ByCountry[at].Sites++; sites[i].RecruitmentStatus == filters.Recruiting {
				*s.ByCountry[at].Recruiting++
			}
		}
		if status := sites[i].RecruitmentStatus; status != "" {
			at, listed := statuses[status]
			if !listed {
				at = len(s.ByStatus)
				statuses[status] = at
				s.ByStatus = append(s.ByStatus, entity.StatusSites{RecruitmentStatus: status})
			}
			s.ByStatus[at].Sites++
		}
	}
	s.Countries = len(s.ByCountry)
	slices.SortStableFunc(s.ByCountry, func(a, b entity.CountrySites) int { return b.Sites - a.Sites })
	slices.SortStableFunc(s.ByStatus, func(a, b entity.StatusSites) int { return b.Sites - a.Sites })
	return s
}
