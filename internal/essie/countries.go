package essie

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/boolean"
)

// A country has the names that the registry uses. It changed some of them in
// 2025, and a record may have either.
type country struct {
	names []string
	// code is set where the given name was the code of the country, FR.
	code bool
}

// expression matches a site in the country.
func (c country) expression() string {
	var names []string
	for _, n := range c.names {
		coverage := ""
		if countries().inOthers[n] {
			coverage = "COVERAGE[FullMatch]"
		}
		names = append(names, Area("LocationCountry", coverage+quote(n)))
	}
	return Or(names...)
}

// countryTable has a line for each country: the names of the registry, a
// colon, and what else people write, its ISO code first.
const countryTable = `
Afghanistan: AF
Albania: AL
Algeria: DZ
American Samoa: AS
Andorra: AD
Angola: AO
Antigua and Barbuda: AG
Argentina: AR
Armenia: AM
Aruba: AW
Australia: AU
Austria: AT, Österreich
Azerbaijan: AZ
Bahamas: BS
Bahrain: BH
Bangladesh: BD
Barbados: BB
Belarus: BY
Belgium: BE, Belgique, België
Belize: BZ
Benin: BJ
Bermuda: BM
Bhutan: BT
Bolivia: BO
Bosnia and Herzegovina: BA, Bosnia
Botswana: BW
Brazil: BR, Brasil
Brunei|Brunei Darussalam: BN
Bulgaria: BG
Burkina Faso: BF
Burundi: BI
Cambodia: KH
Cameroon: CM
Canada: CA
Cape Verde|Cabo Verde: CV
Cayman Islands: KY
Central African Republic: CF
Chad: TD
Chile: CL
China: CN, PRC, People's Republic of China, Mainland China
Colombia: CO
Comoros: KM
Congo|Republic of the Congo: CG, Congo-Brazzaville
Costa Rica: CR
Côte d'Ivoire|Côte D'Ivoire|Ivory Coast: CI, Cote d'Ivoire
Croatia: HR
Cuba: CU
Cyprus: CY
Czechia|Czech Republic: CZ
Democratic Republic of the Congo|Congo, The Democratic Republic of the: CD, DRC, DR Congo, Congo-Kinshasa
Denmark: DK, Danmark
Djibouti: DJ
Dominica: DM
Dominican Republic: DO
Ecuador: EC
Egypt: EG
El Salvador: SV
Equatorial Guinea: GQ
Eritrea: ER
Estonia: EE
Eswatini|Swaziland: SZ
Ethiopia: ET
Faroe Islands: FO
Fiji: FJ
Finland: FI
France: FR
French Guiana: GF
French Polynesia: PF
Gabon: GA
Gambia: GM
Georgia: GE, Republic of Georgia
Germany: DE, Deutschland
Ghana: GH
Gibraltar: GI
Greece: GR
Greenland: GL
Grenada: GD
Guadeloupe: GP
Guam: GU
Guatemala: GT
Guinea: GN
Guinea-Bissau: GW
Guyana: GY
Haiti: HT
Honduras: HN
Hong Kong: HK
Hungary: HU
Iceland: IS
India: IN
Indonesia: ID
Iran|Iran, Islamic Republic of: IR, Islamic Republic of Iran
Iraq: IQ
Ireland: IE, Republic of Ireland
Isle of Man: IM
Israel: IL
Italy: IT, Italia
Jamaica: JM
Japan: JP
Jersey: JE
Jordan: JO
Kazakhstan: KZ
Kenya: KE
Kiribati: KI
Kosovo: XK
Kuwait: KW
Kyrgyzstan: KG
Laos|Lao People's Democratic Republic: LA
Latvia: LV
Lebanon: LB
Lesotho: LS
Liberia: LR
Libya|Libyan Arab Jamahiriya: LY
Liechtenstein: LI
Lithuania: LT
Luxembourg: LU
Macau|Macao: MO
Madagascar: MG
Malawi: MW
Malaysia: MY
Maldives: MV
Mali: ML
Malta: MT
Martinique: MQ
Mauritania: MR
Mauritius: MU
Mayotte: YT
Mexico: MX, México
Micronesia: FM
Moldova|Moldova, Republic of: MD, Republic of Moldova
Monaco: MC
Mongolia: MN
Montenegro: ME
Morocco: MA
Mozambique: MZ
Myanmar: MM, Burma
Namibia: NA
Nepal: NP
Netherlands: NL, Holland, Nederland
New Caledonia: NC
New Zealand: NZ
Nicaragua: NI
Niger: NE
Nigeria: NG
North Korea|Korea, Democratic People's Republic of: KP, DPRK
North Macedonia|Macedonia, The Former Yugoslav Republic of: MK, Macedonia
Northern Mariana Islands: MP
Norway: NO, Norge
Oman: OM
Pakistan: PK
Palestinian Territories|Palestinian Territory, occupied|Palestinian Territory: PS, Palestine
Panama: PA
Papua New Guinea: PG
Paraguay: PY
Peru: PE
Philippines: PH
Poland: PL, Polska
Portugal: PT
Puerto Rico: PR
Qatar: QA
Réunion: RE
Romania: RO
Russia|Russian Federation: RU
Rwanda: RW
Saint Kitts and Nevis: KN
Saint Lucia: LC
Saint Vincent and the Grenadines: VC
Samoa: WS
San Marino: SM
Saudi Arabia: SA, KSA
Senegal: SN
Serbia: RS
Seychelles: SC
Sierra Leone: SL
Singapore: SG
Slovakia: SK, Slovak Republic
Slovenia: SI
Solomon Islands: SB
Somalia: SO
South Africa: ZA, RSA
South Korea|Korea, Republic of: KR, Korea, Republic of Korea, ROK, S Korea, Korea South, Korea Republic
South Sudan: SS
Spain: ES, España
Sri Lanka: LK
Sudan: SD
Suriname: SR
Sweden: SE, Sverige
Switzerland: CH, Suisse, Schweiz, Svizzera
Syria|Syrian Arab Republic: SY
Taiwan: TW, Taiwan Province of China, ROC
Tajikistan: TJ
Tanzania: TZ, United Republic of Tanzania
Thailand: TH
Timor-Leste: TL, East Timor
Togo: TG
Tonga: TO
Trinidad and Tobago: TT
Tunisia: TN
Turkey (Türkiye)|Turkey: TR, Türkiye, Turkiye
Turkmenistan: TM
Uganda: UG
Ukraine: UA
United Arab Emirates: AE, UAE, Emirates
United Kingdom: GB, UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland
United States: US, USA, United States of America, America, U.S. of A
Uruguay: UY
Uzbekistan: UZ
Vanuatu: VU
Venezuela: VE
Vietnam: VN, Viet Nam
Virgin Islands (U.S.): VI, US Virgin Islands, Virgin Islands
Yemen: YE
Zambia: ZM
Zimbabwe: ZW
`

type countryNames struct {
	byKey    map[string]country
	inOthers map[string]bool // names that stand in the name of another country
}

var countries = sync.OnceValue(func() countryNames {
	t := countryNames{byKey: map[string]country{}, inOthers: map[string]bool{}}
	var all []country
	for line := range strings.Lines(strings.TrimSpace(countryTable)) {
		registered, others, _ := strings.Cut(strings.TrimSpace(line), ": ")
		c := country{names: strings.Split(registered, "|")}
		for i, name := range append(strings.Split(others, ", "), c.names...) {
			c.code = i == 0
			t.byKey[key(name)] = c
		}
		for _, known := range all {
			t.tellApart(known, c)
			t.tellApart(c, known)
		}
		all = append(all, c)
	}
	return t
})

// tellApart notes the names of a country that stand in those of another.
func (t countryNames) tellApart(one, other country) {
	for _, name := range one.names {
		if slices.ContainsFunc(other.names, func(o string) bool { return contains(o, name) }) {
			t.inOthers[name] = true
		}
	}
}

// contains reports whether a name has another among its words.
func contains(name, inner string) bool {
	return strings.Contains(" "+strings.NewReplacer("-", " ", ",", " ").Replace(name)+" ", " "+inner+" ")
}

// countryOf finds the country that a name or code means.
func countryOf(name string) (country, bool) {
	c, ok := countries().byKey[key(name)]
	return c, ok
}

// key leaves the letters and digits of a name in lower case, without the
// article: Republic of Korea, U.K., the Netherlands.
func key(name string) string {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "the ")
	return strings.Map(func(r rune) rune {
		if boolean.LetterOrDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// partsOfUK are countries that the registry does not have.
var partsOfUK = map[string]bool{"england": true, "scotland": true, "wales": true, "northernireland": true}

// territories are countries to the registry that people name with the state
// that they belong to.
var territories = map[string]bool{
	"hongkong": true, "macau": true, "macao": true, "taiwan": true, "puertorico": true, "guam": true, "guadeloupe": true, "martinique": true,
	"réunion": true, "reunion": true, "frenchguiana": true, "mayotte": true, "newcaledonia": true, "frenchpolynesia": true,
}

// alsoCountries are the abbreviations of states that are as often meant as the
// code of a country.
var alsoCountries = map[string]bool{"CA": true, "DE": true, "IN": true, "IL": true, "CO": true, "AR": true, "PR": true}

// parts of the world are no place of the registry; some countries stand for
// each.
var partsOfTheWorld = map[string]string{
	"europe": "Germany or France or Italy or Spain or United Kingdom", "eu": "Germany or France or Italy or Spain or Poland",
	"europeanunion": "Germany or France or Italy or Spain or Poland", "westerneurope": "Germany or France or Netherlands or Belgium",
	"easterneurope": "Poland or Czechia or Hungary or Romania", "centraleurope": "Germany or Austria or Poland or Czechia",
	"scandinavia": "Denmark or Norway or Sweden", "nordiccountries": "Denmark or Finland or Iceland or Norway or Sweden",
	"asia": "China or Japan or India or South Korea", "eastasia": "China or Japan or South Korea or Taiwan",
	"southeastasia": "Thailand or Vietnam or Malaysia or Indonesia or Philippines", "asiapacific": "China or Japan or South Korea or Australia",
	"apac": "China or Japan or South Korea or Australia", "middleeast": "Israel or Saudi Arabia or United Arab Emirates or Turkey",
	"africa": "South Africa or Egypt or Kenya or Nigeria", "subsaharanafrica": "South Africa or Kenya or Uganda or Nigeria",
	"northamerica": "United States or Canada or Mexico", "southamerica": "Brazil or Argentina or Chile or Colombia",
	"latinamerica": "Brazil or Mexico or Argentina or Colombia", "centralamerica": "Guatemala or Costa Rica or Panama or Honduras",
	"oceania": "Australia or New Zealand", "emea": "Germany or France or Israel or South Africa", "benelux": "Belgium or Netherlands or Luxembourg",
	"bayarea": "San Francisco, CA or Oakland, CA or Palo Alto, CA", "sanfranciscobayarea": "San Francisco, CA or Oakland, CA or Palo Alto, CA",
	"siliconvalley": "Palo Alto, CA or San Jose, CA or Stanford, CA", "westcoast": "California or Oregon or Washington State",
	"eastcoast": "New York State or Massachusetts or Pennsylvania or Florida", "newengland": "Massachusetts or Connecticut or New Hampshire or Rhode Island",
	"midwest": "Illinois or Ohio or Michigan or Minnesota", "pacificnorthwest": "Washington State or Oregon", "deepsouth": "Alabama or Louisiana or Mississippi",
}

// everywhere are words for no place in particular.
var everywhere = map[string]bool{
	"anywhere": true, "everywhere": true, "worldwide": true, "global": true, "globally": true, "international": true, "world": true, "all": true,
	"any": true, "allcountries": true, "anycountry": true, "nationwide": true, "multinational": true, "remote": true, "virtual": true, "online": true,
	"none": true, "null": true, "nil": true, "undefined": true, "anything": true, "everything": true,
}

// whereTheyAre are words for the place of whoever asks.
var whereTheyAre = map[string]bool{
	"me": true, "here": true, "home": true, "mylocation": true, "myarea": true, "mycity": true, "mystate": true, "mycountry": true,
	"myhome": true, "myhouse": true, "myplace": true, "myzip": true, "myzipcode": true, "local": true, "locally": true, "nearby": true, "currentlocation": true,
	"mycurrentlocation": true, "nearest": true, "closest": true,
}
