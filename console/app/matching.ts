// What fits a text, best first: every word of it must be in the name or the detail, or it is the id. Pure.

export type Findable = { readonly id: string; readonly name: string; readonly detail: string }

/** Of each kind. */
export const foundMax = 6

export function matching<T extends Findable>(all: readonly T[], text: string): T[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  return all
    .flatMap((each, place) => {
      const rank = rankOf(each, words)
      return rank === null ? [] : [{ each, rank, place }]
    })
    .toSorted((one, other) => one.rank - other.rank || one.place - other.place)
    .slice(0, foundMax)
    .map(({ each }) => each)
}

/** 0: the name begins with the text. 1: a word of it does. 2: it is in the name. 3: a part is in the detail only. */
function rankOf({ id, name, detail }: Findable, words: readonly string[]): number | null {
  if (words.join(' ') === id) return 0
  const [inName, inDetail] = [name.toLowerCase(), detail.toLowerCase()]
  if (!words.every((word) => inName.includes(word) || inDetail.includes(word))) return null
  if (!words.every((word) => inName.includes(word))) return 3
  const [first = ''] = words
  if (inName.startsWith(words.join(' '))) return 0
  return inName.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)) ? 1 : 2
}

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id that a text is; null for all else. */
export const idIn = (text: string): string | null => (idForm.test(text.trim()) ? text.trim().toLowerCase() : null)
