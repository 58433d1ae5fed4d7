// JSON Pointers (RFC 6901), by which a refusal says where in the input it found something.

/** Longer names are cut when they are sent back in a refusal. */
const stepLengthMax = 200

/** A longer pointer ends at the last step that fits: it still says where to look. */
const pointerLengthMax = 2_000

export function pointerTo(path: readonly (string | number)[]): string {
  let pointer = ''
  for (const step of path) {
    const longer = `${pointer}/${shortened(String(step)).replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (longer.length > pointerLengthMax) break
    pointer = longer
  }
  return pointer
}

export const shortened = (name: string): string =>
  name.length > stepLengthMax ? `${name.slice(0, stepLengthMax).toWellFormed()}…` : name

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
