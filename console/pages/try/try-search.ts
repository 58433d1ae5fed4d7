// What the page tries, as its address holds it. A key never stands there.
import { oneOf, searchOf, text } from '../../app/search-params.ts'

export const trySearch = searchOf({ operation: text, as: oneOf(['me']), q: text })
export type TrySearch = ReturnType<typeof trySearch>
