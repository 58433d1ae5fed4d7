// The descriptions of the API and of the settings. docs/openapi.ts has written them, when the packages were installed or
// the image was built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import { addressedText, type AddressedText } from './addressed-text.ts'

/** Each names the address of the installation as its server. */
export type Descriptions = {
  readonly json: AddressedText
  readonly yaml: AddressedText
  readonly settings: AddressedText
}

/** Stands for the address until it is known. */
const marker = 'https://address.invalid'

const docs = join(import.meta.dirname, '../../docs')

let installed: Descriptions | undefined

/** Those of this installation, read once in a process: to minify and compress them takes a good 50 ms. */
export const installedDescriptions = (): Descriptions => (installed ??= readDescriptions())

/** Throws a StartupError when a file is missing, or is none of those that were written. */
export function readDescriptions(folder = docs): Descriptions {
  return {
    json: read(join(folder, 'openapi.json'), withMarkerInJson),
    yaml: read(join(folder, 'openapi.yaml'), withMarkerInYaml),
    settings: read(join(folder, 'openapi-settings.json'), withMarkerInJson),
  }
}

function read(path: string, prepare: (text: string) => string): AddressedText {
  try {
    return addressedText(prepare(readFileSync(path, 'utf8')), marker)
  } catch (cause) {
    throw new StartupError(`The description ${path} cannot be read. Run "node docs/openapi.ts" first.`, { cause })
  }
}

/** Minified. */
function withMarkerInJson(text: string): string {
  const document = JSON.parse(text) as { readonly servers?: readonly object[] }
  const servers = document.servers?.map((server) => ({ ...server, url: marker }))
  return JSON.stringify({ ...document, servers })
}

const withMarkerInYaml = (text: string): string => text.replace(/(?<=^servers:\n +- url: ).*$/m, marker)
