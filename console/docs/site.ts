// What the pages of the documentation do in a browser, beyond what they say without it: the search, samples by
// language, copying, and the workspace of the reader. Each part finds its place in a page that is complete without it.
import { applyTheme } from '../ui/stored-theme.ts'
import { addCopyButtons } from './copy-buttons.ts'
import { addReaderBar } from './reader.ts'
import { joinSamples } from './samples.ts'
import { addSearch } from './search.ts'

applyTheme()
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', enhance)
else enhance()

function enhance(): void {
  addCopyButtons()
  joinSamples()
  addSearch()
  void addReaderBar()
}
