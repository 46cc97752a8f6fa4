// Code generated from internal/entity. DO NOT EDIT.

package toolgen

import (
	"reflect"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// entities are the types that tools.yaml may name, by name.
var entities = map[string]reflect.Type{
	"AbstractSection":         reflect.TypeFor[entity.AbstractSection](),
	"Article":                 reflect.TypeFor[entity.Article](),
	"ArticleBrief":            reflect.TypeFor[entity.ArticleBrief](),
	"ArticleDateRange":        reflect.TypeFor[entity.ArticleDateRange](),
	"ArticleDetails":          reflect.TypeFor[entity.ArticleDetails](),
	"ArticleRelationships":    reflect.TypeFor[entity.ArticleRelationships](),
	"ArticleSearch":           reflect.TypeFor[entity.ArticleSearch](),
	"ArticleSearchParameters": reflect.TypeFor[entity.ArticleSearchParameters](),
	"Author":                  reflect.TypeFor[entity.Author](),
	"Book":                    reflect.TypeFor[entity.Book](),
	"Chemical":                reflect.TypeFor[entity.Chemical](),
	"Contact":                 reflect.TypeFor[entity.Contact](),
	"Correction":              reflect.TypeFor[entity.Correction](),
	"DataBank":                reflect.TypeFor[entity.DataBank](),
	"EFetchDetails":           reflect.TypeFor[entity.EFetchDetails](),
	"EligibilityCriteria":     reflect.TypeFor[entity.EligibilityCriteria](),
	"ErrorDetails":            reflect.TypeFor[entity.ErrorDetails](),
	"ErrorEnvelope":           reflect.TypeFor[entity.ErrorEnvelope](),
	"Gene":                    reflect.TypeFor[entity.Gene](),
	"GeneCrossReferences":     reflect.TypeFor[entity.GeneCrossReferences](),
	"GeneSearchCandidate":     reflect.TypeFor[entity.GeneSearchCandidate](),
	"Grant":                   reflect.TypeFor[entity.Grant](),
	"JournalInfo":             reflect.TypeFor[entity.JournalInfo](),
	"LinkName":                reflect.TypeFor[entity.LinkName](),
	"MeshTerm":                reflect.TypeFor[entity.MeshTerm](),
	"NCBICompliance":          reflect.TypeFor[entity.NCBICompliance](),
	"OperationalStatus":       reflect.TypeFor[entity.OperationalStatus](),
	"OtherAbstract":           reflect.TypeFor[entity.OtherAbstract](),
	"Outcome":                 reflect.TypeFor[entity.Outcome](),
	"Pagination":              reflect.TypeFor[entity.Pagination](),
	"PubMedLink":              reflect.TypeFor[entity.PubMedLink](),
	"PubMedStats":             reflect.TypeFor[entity.PubMedStats](),
	"PublicationDate":         reflect.TypeFor[entity.PublicationDate](),
	"RelatedArticle":          reflect.TypeFor[entity.RelatedArticle](),
	"SearchField":             reflect.TypeFor[entity.SearchField](),
	"ServerInfo":              reflect.TypeFor[entity.ServerInfo](),
	"Sponsor":                 reflect.TypeFor[entity.Sponsor](),
	"Trial":                   reflect.TypeFor[entity.Trial](),
	"TrialCrossReferences":    reflect.TypeFor[entity.TrialCrossReferences](),
	"TrialLocation":           reflect.TypeFor[entity.TrialLocation](),
	"TrialProtocol":           reflect.TypeFor[entity.TrialProtocol](),
	"TrialSearchCandidate":    reflect.TypeFor[entity.TrialSearchCandidate](),
}
