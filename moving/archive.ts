// The folder of an export: a manifest, a file of lines for each table, compressed, and the contents of files. It is for
// its owner alone. What is half-written is named so; the manifest comes last, and says that all of it is there.
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartupError } from '#runtime/process.ts'
import { bytesAtOnce, rowsAtOnce, summing, sumOf, type Lines, type Sum } from './rows.ts'
import { isWorkspaceId } from './tables.ts'

export const formatVersion = 1
const ownerOnlyFolder = 0o700
const ownerOnlyFile = 0o600

export type TableInArchive = Sum & {
  readonly name: string
  readonly columns: readonly string[]
  /** Null where the target makes the rows itself: then `sha256` is empty, and only the count is compared. */
  readonly file: string | null
}
export type Manifest = {
  readonly format: typeof formatVersion
  readonly product: string
  /** The last one of the source. */
  readonly migration: string
  readonly exportId: string
  readonly startedAt: string
  readonly installation: string | null
  /** Null: the whole installation. */
  readonly workspaceId: string | null
  /** Whether the source may have gone on after the export. */
  readonly whileRunning: boolean
  /** The ids of the sealing keys that stored secrets need. Null: the key that is derived from INTERNAL_SECRET. */
  readonly sealedWith: readonly (string | null)[]
  /** By which an INTERNAL_SECRET is recognized, in base64. Null where no process has ever been started. */
  readonly sealedProof: string | null
  readonly partitions: readonly { readonly name: string; readonly bounds: string }[]
  /** The last numbers that were drawn. */
  readonly sequences: readonly { readonly table: string; readonly column: string; readonly last: string }[]
  /** Null where their contents were left out. */
  readonly files: { readonly count: number; readonly bytes: number } | null
  readonly tables: readonly TableInArchive[]
}
/** What an export that was broken off has written so far. */
export type Progress = Pick<Manifest, 'exportId' | 'startedAt' | 'installation' | 'workspaceId'> & {
  readonly tables: readonly TableInArchive[]
}

const manifestFile = 'manifest.json'
const progressFile = 'progress.json'
export const filesIn = (folder: string): string => join(folder, 'files')

/** Returns how far an export into this folder was. Throws a StartupError where the folder holds anything else. */
export function prepareFolder(folder: string): Progress | null {
  mkdirSync(folder, { recursive: true, mode: ownerOnlyFolder })
  if (existsSync(join(folder, manifestFile)))
    throw new StartupError(`The folder ${folder} holds a whole export already: name another one.`)
  const progress = join(folder, progressFile)
  if (existsSync(progress)) return JSON.parse(readFileSync(progress, 'utf8')) as Progress
  if (readdirSync(folder).length > 0)
    throw new StartupError(`The folder ${folder} is not empty: name a folder that is empty, or is not there.`)
  for (const name of ['tables', 'files']) mkdirSync(join(folder, name), { mode: ownerOnlyFolder })
  return null
}

export const writeProgress = (folder: string, progress: Progress): void => writeWhole(folder, progressFile, progress)

export function writeManifest(folder: string, manifest: Manifest): void {
  writeWhole(folder, manifestFile, manifest)
  rmSync(join(folder, progressFile))
}

function writeWhole(folder: string, name: string, content: object): void {
  const half = join(folder, `${name}.half`)
  writeFileSync(half, `${JSON.stringify(content, null, 2)}\n`, { mode: ownerOnlyFile, flush: true })
  renameSync(half, join(folder, name))
}

export const fileOf = (table: string): string => join('tables', `${table}.ndjson.gz`)

export async function writeTable(folder: string, table: string, lines: Lines): Promise<Sum> {
  const path = join(folder, fileOf(table))
  const half = `${path}.half`
  const summed = summing(lines)
  async function* text(): AsyncIterable<string> {
    for await (const some of summed.lines) yield `${some.join('\n')}\n`
  }
  await pipeline(text(), createGzip(), createWriteStream(half, { mode: ownerOnlyFile, flush: true }))
  renameSync(half, path)
  return summed.sum()
}

/** Throws a StartupError where there is none, or it is of another form. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, manifestFile)
  if (!existsSync(path)) {
    const isHalf = existsSync(join(folder, progressFile))
    throw new StartupError(
      isHalf
        ? `The export in ${folder} was broken off: run the same npm run export again, which goes on with it.`
        : `There is no export in ${folder}: it has no ${manifestFile}.`,
    )
  }
  const manifest = parsed(path)
  if (manifest.format === formatVersion) {
    if (manifest.workspaceId !== null && !isWorkspaceId(manifest.workspaceId)) throw damaged(path)
    return manifest as Manifest
  }
  throw new StartupError(
    `The export in ${folder} is of format ${manifest.format}, and this version reads ${formatVersion}: import it with version ${manifest.product}.`,
  )
}

type AnyFormat = Omit<Manifest, 'format'> & { readonly format: number }

function parsed(path: string): AnyFormat {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as AnyFormat
  } catch (cause) {
    throw new StartupError(`${path} is damaged: copy the export anew from where it was made.`, { cause })
  }
}

/** Throws a StartupError where the file is not what the manifest says. */
export async function assertIntact(folder: string, table: TableInArchive): Promise<void> {
  if (table.file === null) return
  const sum = await sumOf(readTable(folder, table.file))
  if (sum.sha256 !== table.sha256 || sum.rows !== table.rows) throw damaged(join(folder, table.file))
}

const damaged = (path: string, cause?: unknown): StartupError =>
  new StartupError(
    `${path} is damaged: its content is not what the manifest says. Copy the export anew from where it was made, or export again.`,
    { cause },
  )

export async function* readTable(folder: string, file: string): Lines {
  const path = join(folder, file)
  const text = createReadStream(path).on('error', (error) => unzipped.destroy(error))
  const unzipped = text.pipe(createGunzip()).setEncoding('utf8')
  let [rest, lines, bytes]: [string, string[], number] = ['', [], 0]
  try {
    for await (const chunk of unzipped as AsyncIterable<string>) {
      const pieces = (rest + chunk).split('\n')
      rest = pieces.pop() ?? ''
      for (const line of pieces) {
        lines.push(line)
        bytes += line.length
        if (lines.length < rowsAtOnce && bytes < bytesAtOnce) continue
        yield lines
        ;[lines, bytes] = [[], 0]
      }
    }
  } catch (error) {
    throw isOfFile(error) ? damaged(path, error) : error
  } finally {
    text.destroy()
  }
  if (rest !== '') throw damaged(path)
  if (lines.length > 0) yield lines
}

/** Of the file or of its compression. */
const isOfFile = (error: unknown): boolean =>
  error instanceof Error && /^(?:Z_|ENOENT|EIO|ERR_)/.test((error as NodeJS.ErrnoException).code ?? '')
