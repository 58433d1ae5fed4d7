// Random capital letters, for names and keys that are different in each request.
import { randomInt } from 'node:crypto'

export const letters = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(65 + randomInt(26))).join('')
