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
	c, err := messages.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	v := Players("toguz-kumalak")
	told := v.Retell([]Section{{Text: []string{"Choose a pit. Pits and a claimed pit have seeds. A seed falls."}}}, c.T)
	if want := "Choose an otau. Otau and a tuzdyk have kumalak. A kumalak falls."; told[0].Text[0] != want {
		t.Errorf("%q, not %q", told[0].Text[0], want)
	}
}

func sentences(sections []Section) string {
	var all []string
	for _, s := range sections {
		all = append(all, s.Text...)
	}
	return strings.Join(all, " ")
}
