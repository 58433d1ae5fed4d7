// The characters that text may hold, and its one spelling: Unicode's NFC, so that equal text is equal bytes. Names of
// people, keys, webhooks and workspaces have stricter rules. Pure.

// Below U+0300 nothing has a second spelling, and controls aside everything is allowed. Most text stops at this test.
const worthALook = /[^\t\n\r\u0020-\u007e\u0080-\u02ff]/
// C0 and DEL. Those from U+0080 on come with wrongly decoded Windows text: ugly, and harmless.
const control = /[^\P{Cc}\t\n\r\u0080-\u009f]/u

// A line is shown beside others: nothing in it may break it, hide it or reverse the text around it.
const breaksALine = /[\p{Cc}\u2028\u2029\u202d\u202e]/u
const shows = /[^\s\p{Cc}\p{Cf}]/u

/** Returns the text in NFC; the same string where it is that already. */
export const toNfc = (text: string): string => (worthALook.test(text) ? text.normalize('NFC') : text)

/** Returns why the text is refused, as a sentence; null where it is accepted. */
export function textError(text: string): string | null {
  if (!worthALook.test(text)) return null
  if (!text.isWellFormed()) return 'Holds half of a surrogate pair, which is no character.'
  const found = control.exec(text)?.[0]
  return found === undefined ? null : `Holds the control character ${codePoint(found)}.`
}

/** Names, labels, titles: one line, with something in it that can be seen. */
export const isLine = (text: string): boolean => !breaksALine.test(text) && shows.test(text)

const codePoint = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

const dotAbove = '\u0307'

/**
 * Folds two texts whose letters differ in case alone to the same: `STRASSEN` and `Straßen`. A search folds more
 * (search-words.ts).
 */
export const foldCase = (text: string): string =>
  text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll(dotAbove, '')

// Names that prove something to their readers: of people, keys, webhooks and workspaces, in a log, on an
// invitation or before a removal. Two of them that look the same should be the same. So nothing in them is invisible,
// turns the text around it, or passes for a letter of another script. Names in the scripts of the world stay as they
// are written: joiners stand in Persian and in many Indic words, selectors in Japanese and Mongolian ones, and both in
// emoji. Pure.

// Whole emoji, with the joiners, selectors and tags that they are made of.
const emoji = /\p{RGI_Emoji}|\p{Extended_Pictographic}[\ufe0e\ufe0f]/gv
// A form of the character before it: of an ideograph, or of a Mongolian letter.
const selected =
  /(?<=\p{Unified_Ideograph})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=\p{scx=Mongolian})[\u180b-\u180d\u180f]/gv
const indic = String.raw`[\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]`
const joining = String.raw`[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Phag}]`
// Between two letters that would join, or after an Indic letter or its sign; never two of them.
const joiners = new RegExp(
  String.raw`(?<=${joining}\p{M}*)\u200c(?=[${joining}--\p{M}])|(?<=${indic})[\u200c\u200d](?!\u200c|\u200d)`,
  'gv',
)

const turnsText = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/v
// Also those that are blank and no white space, such as fillers of Hangul and the empty pattern of Braille.
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/v

// Letters that look like one of the other script. What a word of one script holds is never looked at.
const likeLatin = /^[АВЕКМНОРСТУХЅІЈԚԜаеорсухѕіјһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρυια]+$/v
const likeOthers = /^[ABCEHIJKMNOPSTXYZaceijopsxyhdqwv]+$/v
const words = /[\p{L}\p{M}]+/gv
const latin = /\p{Script=Latin}/gv
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}]/gv

/** Returns why the name is refused, as a sentence; null where it is accepted. Line breaks are for others to refuse. */
export function identityNameError(text: string): string | null {
  const bare = text.replaceAll(emoji, '').replaceAll(selected, '').replaceAll(joiners, '')
  const turning = turnsText.exec(bare)?.[0]
  if (turning !== undefined) return `Holds ${codePointOf(turning)}, which changes the direction of the text around it.`
  const unseen = invisible.exec(bare)?.[0]
  if (unseen !== undefined) return `Holds ${codePointOf(unseen)}, which cannot be seen there.`
  const mixed = text.match(words)?.find(passesForAnother)
  if (mixed === undefined) return null
  const letter = mixed.match(foreign)?.[0] ?? ''
  return `Holds a word that mixes Latin letters with others that look like them, such as ${codePointOf(letter)}.`
}

/** `аdmin` with the first letter of Cyrillic, and `СЕО` with the last of Latin; but not `μTorrent`. */
function passesForAnother(word: string): boolean {
  const [own, others] = [word.match(latin)?.join('') ?? '', word.match(foreign)?.join('') ?? '']
  return own !== '' && others !== '' && (likeLatin.test(others) || likeOthers.test(own))
}

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
