package learn

import (
	"strings"
	"testing"

	"mancala/engine"
	"mancala/web/messages"
)

func TestRulesAreToldInTheWordsOfThePlayers(t *testing.T) {
	for _, lang := range []string{"en", "fr"} {
		c, err := messages.Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		for system, v := range vocabularies {
			rules, ok := engine.System(system)
			if !ok {
				t.Fatalf("%s is no system", system)
			}
			sections := words(rules, c.T)
			ours := sentences(sections)
			theirs := sentences(v.Retell(sections, c.T))
			if sentences(sections) != ours {
				t.Errorf("%s: retelling changes the sections that it is given", system)
			}
			for _, w := range v.Words {
				for n := 1; n <= 2; n++ {
					name := c.T("learn.term."+w.Term, "n", n)
					if strings.HasPrefix(name, "learn.") {
						t.Errorf("%s: %s has no name in %s", system, w.Term, c.Lang)
					}
					if w.Term == "pit" && strings.Contains(theirs, " "+name+" ") {
						t.Errorf("%s in %s: %q is left in %s", system, c.Lang, name, theirs)
					}
				}
				if w.Term == "pit" && !strings.Contains(theirs, w.Word) {
					t.Errorf("%s in %s: no %s in %s", system, c.Lang, w.Word, theirs)
				}
			}
		}
	}
}

func TestArticleFollowsTheWordOfThePlayers(t *testing.T) {
	for _, tt := range []struct{ lang, system, ours, want string }{
		{"en", "toguz-kumalak", "Choose a pit. Pits and a claimed pit have seeds. A seed falls.", "Choose an otau. Otau and a tuzdyk have kumalak. A kumalak falls."},
		{"fr", "toguz-kumalak", "La case et la graine suivent une case et la case conquise.", "L’otau et la kumalak suivent une otau et la tuzdyk."},
		{"en", "hus", "Pits have seeds. Take a pit.", "ǁHūs have gomate. Take a ǁhūs."},
		{"fr", "omweso", "On sème à partir de la case, sans coup de graines.", "On sème à partir de l’essa, sans coup d’empiki."},
	} {
		c, err := messages.Load(tt.lang)
		if err != nil {
			t.Fatal(err)
		}
		told := Players(tt.system).Retell([]Section{{Text: []string{tt.ours}}}, c.T)
		if got := told[0].Text[0]; got != tt.want {
			t.Errorf("%q, not %q", got, tt.want)
		}
	}
}

func TestPlayersWordsAreExplainedInEveryLanguage(t *testing.T) {
	spoken, err := messages.LoadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range spoken.Catalogs {
		for system, v := range vocabularies {
			if key := "learn.language." + v.Language(); c.T(key) == key {
				t.Errorf("%s: %s has no name in %s", system, v.Lang, c.Lang)
			}
			for _, w := range v.Words {
				if key := "learn.term." + w.Term; c.T(key, "n", 1) == key {
					t.Errorf("%s: %s has no explanation in %s", system, w.Word, c.Lang)
				}
			}
		}
	}
	sw, err := messages.Load("sw")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range Players("bao").Foreign(sw.T).Words {
		if w.Word == "kete" || w.Word == "shimo" {
			t.Errorf("%s is explained by itself", w.Word)
		}
	}
}

func sentences(sections []Section) string {
	var all []string
	for _, s := range sections {
		all = append(all, s.Text...)
	}
	return strings.Join(all, " ")
}

func TestSectionsStayWithoutAWordForOurTerms(t *testing.T) {
	told := Vocabulary{Words: []PlayersWord{{"mtaalamu", "master"}}}.Retell([]Section{{Text: []string{"Choose a pit."}}}, func(key string, _ ...any) string { return key })
	if len(told) != 1 || told[0].Text[0] != "Choose a pit." {
		t.Errorf("got %+v", told)
	}
}
