// The descriptions of the API and of the settings. docs/openapi.ts has written them, when the packages were installed or
// the image was built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/startup-error.ts'
import { textFile, type StaticFile } from './static-file.ts'

export type Descriptions = { readonly json: StaticFile; readonly yaml: StaticFile; readonly settings: StaticFile }

const docs = join(import.meta.dirname, '../../docs')

let installed: Descriptions | undefined

/** Those of this installation, read once in a process: to minify and compress them takes a good 50 ms. */
export const installedDescriptions = (): Descriptions => (installed ??= readDescriptions())

/** Throws a StartupError when a file is missing, or is none of those that were written. */
export function readDescriptions(folder = docs): Descriptions {
  const json = (name: string) => textFile(read(join(folder, name), minified), 'application/json')
  return {
    json: json('openapi.json'),
    yaml: textFile(read(join(folder, 'openapi.yaml')), 'application/yaml'),
    settings: json('openapi-settings.json'),
  }
}

function read(path: string, convert = (text: string): string => text): string {
  try {
    return convert(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new StartupError(`The description ${path} cannot be read. Run "node docs/openapi.ts" first.`, { cause })
  }
}

const minified = (json: string): string => JSON.stringify(JSON.parse(json))
