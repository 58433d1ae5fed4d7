// Random capitals: names and keys that no two requests share.
import { randomInt } from 'node:crypto'

export const letters = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(65 + randomInt(26))).join('')
