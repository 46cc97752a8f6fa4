package citation

// A language has an English name and a two-letter code.
type language struct{ name, code string }

// languages are the languages of PubMed by NLM's three-letter code.
var languages = map[string]language{
	"afr": {"Afrikaans", "af"}, "alb": {"Albanian", "sq"}, "ara": {"Arabic", "ar"}, "arm": {"Armenian", "hy"}, "aze": {"Azerbaijani", "az"},
	"bos": {"Bosnian", "bs"}, "bul": {"Bulgarian", "bg"}, "cat": {"Catalan", "ca"}, "chi": {"Chinese", "zh"}, "cze": {"Czech", "cs"},
	"dan": {"Danish", "da"}, "dut": {"Dutch", "nl"}, "eng": {"English", "en"}, "epo": {"Esperanto", "eo"}, "est": {"Estonian", "et"},
	"fin": {"Finnish", "fi"}, "fre": {"French", "fr"}, "geo": {"Georgian", "ka"}, "ger": {"German", "de"}, "gla": {"Scottish Gaelic", "gd"},
	"gre": {"Greek", "el"}, "heb": {"Hebrew", "he"}, "hin": {"Hindi", "hi"}, "hrv": {"Croatian", "hr"}, "hun": {"Hungarian", "hu"},
	"ice": {"Icelandic", "is"}, "ind": {"Indonesian", "id"}, "ita": {"Italian", "it"}, "jpn": {"Japanese", "ja"},
	"kin": {"Kinyarwanda", "rw"},
	"kor": {"Korean", "ko"}, "lat": {"Latin", "la"}, "lav": {"Latvian", "lv"}, "lit": {"Lithuanian", "lt"}, "mac": {"Macedonian", "mk"},
	"mal": {"Malayalam", "ml"}, "mao": {"Maori", "mi"}, "may": {"Malay", "ms"}, "nor": {"Norwegian", "no"}, "per": {"Persian", "fa"},
	"pol": {"Polish", "pl"}, "por": {"Portuguese", "pt"}, "pus": {"Pushto", "ps"}, "rum": {"Romanian", "ro"}, "rus": {"Russian", "ru"},
	"san": {"Sanskrit", "sa"}, "slo": {"Slovak", "sk"}, "slv": {"Slovenian", "sl"}, "spa": {"Spanish", "es"}, "srp": {"Serbian", "sr"},
	"swe": {"Swedish", "sv"}, "tha": {"Thai", "th"}, "tur": {"Turkish", "tr"}, "ukr": {"Ukrainian", "uk"}, "urd": {"Urdu", "ur"},
	"vie": {"Vietnamese", "vi"}, "wel": {"Welsh", "cy"},
}
