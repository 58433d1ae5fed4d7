// The words of a text as a search compares them: folded, and taken apart where nothing is a letter, a digit or a mark.
// The database does the same with what is searched in, by its functions `folded` and `separated` (the migration
// every_script); a test holds them together. Pure.

/** Accents, vowel points, and what cannot be seen. */
const marks =
  '\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1-\\u05c2\\u05c4-\\u05c5\\u05c7\\u0610-\\u061a\\u0640' +
  '\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7-\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff\\u1dc0-\\u1dff' +
  '\\u200b-\\u200f\\u2060-\\u2064\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufeff'

/** Scripts without blanks between words: Chinese, Japanese, Korean, Thai, Lao, Tibetan, Burmese, Khmer. */
const unspaced =
  '\\u0e01-\\u0eff\\u0f00-\\u109d\\u1100-\\u11ff\\u1780-\\u17f9\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303c' +
  '\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u3105-\\u318e\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u9fff' +
  '\\ua960-\\ua97c\\ua9e0-\\ua9fe\\uaa60-\\uaa7f\\uac00-\\ud7fb\\uf900-\\ufad9\\u{20000}-\\u{33479}'

const everyMark = new RegExp(`[${marks}]`, 'gu')
// What stands together, in one of these scripts or in another one.
const chunk = new RegExp(`[[${unspaced}]--[^\\p{L}\\p{N}\\p{M}]]+|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]+`, 'gv')
const unspacedOnly = new RegExp(`^[${unspaced}]+$`, 'u')

// Letters that Unicode does not take apart, and digits.
const [from, to] = ['ςıłđðøħŧŋىیکةٱ', 'σilddohtnييكها']
const zeros = ['٠', '۰', '०', '০', '๐'].map((zero) => zero.charCodeAt(0))
const others = new Map<string, string>([
  ...Array.from(from, (letter, at): [string, string] => [letter, to[at] ?? '']),
  ...zeros.flatMap((zero) =>
    Array.from({ length: 10 }, (_, n): [string, string] => [String.fromCharCode(zero + n), `${n}`]),
  ),
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
])
const anyOther = new RegExp(`[${[...others.keys()].join('')}]`, 'g')
const beyondAscii = /[^\0-\x7f]/

/** Two texts that are the same but for case, accents, width and the like are folded to the same. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase()
  const bare = text.normalize('NFKD').replaceAll(everyMark, '').toLowerCase().toUpperCase().toLowerCase()
  return bare.replaceAll(anyOther, (letter) => others.get(letter) ?? letter).normalize('NFC')
}

export type Chunk = { readonly text: string; readonly at: number; readonly isUnspaced: boolean }

/** The words of a folded text, and the runs of characters of scripts without blanks. */
export const chunksOf = (folded: string): Chunk[] =>
  Array.from(folded.matchAll(chunk), ({ 0: text, index }) => ({ text, at: index, isUnspaced: unspacedOnly.test(text) }))

/**
 * The words of a chunk as the database has them. Where characters stand together, each is a word with the next one, and
 * the last one is a word alone.
 */
export function wordsOfChunk({ text, isUnspaced }: Pick<Chunk, 'text' | 'isUnspaced'>): string[] {
  if (!isUnspaced) return [text]
  const characters = Array.from(text)
  return characters.map((character, at) => character + (characters[at + 1] ?? ''))
}

/** Whether the text is long enough to be searched for: a character of some scripts is a word. */
export const isSearchable = (text: string): boolean =>
  /\S/u.test(text) && (Array.from(text).length > 1 || unspacedOnly.test(foldText(text)))

/** A part of `q`: a phrase in quotation marks is found as it is, another text by the beginning of its last word. */
export type Part = { readonly text: string; readonly isPhrase: boolean }

const quoted = /"([^"]*)"|[“„]([^“”„]*)[“”]|«([^»]*)»|「([^」]*)」|[^\s"“”„«»「」]+/gu

/** At most `max` parts of what was typed, folded. Further ones are ignored. */
export function partsOf(q: string, max: number): Part[] {
  const parts = Array.from(q.matchAll(quoted), ([whole, ...groups]): Part => {
    const phrase = groups.find((group) => group !== undefined)
    return { text: foldText(phrase ?? whole).trim(), isPhrase: phrase !== undefined }
  })
  return parts.filter(({ text, isPhrase }) => (isPhrase ? chunksOf(text).length > 0 : text !== '')).slice(0, max)
}

let spelled: { readonly single: Map<string, string>; readonly double: Map<string, string> } | undefined

/** Which characters are folded to one, and which to two: for looking for a word in a text as it is. */
function spellings() {
  if (spelled !== undefined) return spelled
  const [single, double] = [new Map<string, string>(), new Map<string, string>()]
  for (let code = 0x41; code < 0xfffe; code += 1) {
    if (code >= 0xd800 && code < 0xf900) continue
    const character = String.fromCharCode(code)
    const folded = foldText(character)
    const map = folded.length === 1 ? single : double
    if (folded !== character && folded.length > 0 && folded.length <= 2)
      map.set(folded, (map.get(folded) ?? '') + character)
  }
  spelled = { single, double }
  return spelled
}

/** A regular expression of the database for a folded word in a text that is not. */
export function patternOf(word: string): string {
  const { single, double } = spellings()
  const characters = Array.from(word)
  const one = (character = ''): string => {
    const same = single.get(character) ?? ''
    return `[${character}${same}]${character >= '\u0590' ? `[${marks}]*` : ''}`
  }
  let pattern = ''
  for (let at = 0; at < characters.length; at += 1) {
    const two = double.get(`${characters[at]}${characters[at + 1] ?? ''}`)
    pattern += two === undefined ? one(characters[at]) : `(?:${one(characters[at])}${one(characters[at + 1])}|[${two}])`
    if (two !== undefined) at += 1
  }
  return pattern
}
