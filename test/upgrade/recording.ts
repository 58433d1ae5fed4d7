// What an earlier release left behind, and what it answered (record.ts makes it, earlier-release.test.ts reads it).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** As its JSON is. */
type Rows = Readonly<{ columns: readonly string[]; rows: readonly Readonly<Record<string, unknown>>[] }>
export type RecordedRead = {
  readonly operation: string
  readonly as: 'operator' | 'key'
  readonly path: string
  readonly status: number
  readonly body: unknown
}
export type Recording = {
  readonly version: string
  readonly commit: string
  /** Of the installation. They are made up for it, and of no use anywhere else. */
  readonly settings: Readonly<Record<'brand' | 'internalSecret' | 'operatorToken', string>>
  readonly workspaceId: string
  readonly keySecret: string
  readonly revokedKeySecret: string
  /** A webhook of all events of projects, and its signing secret. */
  readonly webhook: Readonly<Record<'id' | 'secret' | 'header', string>>
  /** The names of its migrations, with their checksums. */
  readonly migrations: Readonly<Record<string, string>>
  readonly tables: Readonly<Record<string, Rows>>
  readonly sequences: Readonly<Record<string, number>>
  readonly reads: readonly RecordedRead[]
}

/** Of each key, and of each workspace. */
export const rate = { perMinute: 6_000, burst: 6_000 }

const file = join(import.meta.dirname, 'recorded/0.1.0.json.gz')

export const readRecording = (): Recording => JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording

export const keepRecording = (recording: Recording): void =>
  writeFileSync(file, gzipSync(JSON.stringify(recording), { level: 9 }))
