// Which characters text may hold, and its one spelling: Unicode's NFC, so that equal text is equal bytes.

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
export function textFlaw(text: string): string | null {
  if (!worthALook.test(text)) return null
  if (!text.isWellFormed()) return 'Holds half of a surrogate pair, which is no character.'
  const found = control.exec(text)?.[0]
  return found === undefined ? null : `Holds the control character ${codePoint(found)}.`
}

/** Names, labels, titles: one line, with something in it that can be seen. */
export const isLine = (text: string): boolean => !breaksALine.test(text) && shows.test(text)

const codePoint = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
