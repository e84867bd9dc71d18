package api

import (
	"net/http"

	"mancala/engine"
	"mancala/web/site"
)

// systemJSON is a system, possibly with house rules.
type systemJSON struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Options   []string `json:"options"` // the house rules, as "key=value"
	Canonical string   `json:"canonical"`
	Hash      string   `json:"hash"`
	Shape     [3]int   `json:"shape"` // sides, partners on each side, pits of each side
	Text      string   `json:"text"`
}

func describe(name, options string) (systemJSON, error) {
	rules, g, err := site.HouseRules(name, options)
	if err != nil {
		return systemJSON{}, err
	}
	row := site.SystemRow(name)
	base, _ := engine.System(name)
	shape := g.Shape()
	return systemJSON{
		Name: row.Name, Title: row.Title, Options: append([]string{}, rules.Changes(base)...),
		Canonical: rules.String(), Hash: rules.Hash(),
		Shape: [3]int{int(shape.Sides), int(shape.Partners), int(shape.Pits)}, Text: rules.Describe(),
	}, nil
}

// apiRules lists all systems.
func (srv *API) apiRules(w http.ResponseWriter, r *http.Request) error {
	list := make([]systemJSON, len(engine.Systems))
	for i, row := range engine.Systems {
		var err error
		if list[i], err = describe(row.Name, ""); err != nil {
			return err
		}
	}
	return srv.Answer(w, http.StatusOK, list)
}

// apiSystem describes a system with the house rules of ?options=.
func (srv *API) apiSystem(w http.ResponseWriter, r *http.Request) error {
	s, err := describe(r.PathValue("system"), r.URL.Query().Get("options"))
	if err != nil {
		return err
	}
	return srv.Answer(w, http.StatusOK, s)
}
