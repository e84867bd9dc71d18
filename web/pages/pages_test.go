package pages

import (
	"sync"
	"testing"
)

// The pages of all languages are clones of one template, which people of two languages may ask for at
// the same time.
func TestEveryPageIsClonedForAllLanguagesAtOnce(t *testing.T) {
	spoken, err := loadPages()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for lang, pages := range spoken {
		group.Go(func() {
			for _, name := range pageNames {
				if page, err := pages[name](); err != nil || page.Lookup("layout.html") == nil {
					t.Errorf("%s in %s: %v", name, lang, err)
				}
			}
		})
	}
	group.Wait()
}
