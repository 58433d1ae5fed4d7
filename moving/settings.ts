// What `npm run export` and `npm run import` are told: where an installation is, by the settings of its processes; and
// what to do with it, by the command.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readSettings } from '#runtime/settings.ts'
import { fileContradictions } from '../service/files/settings.ts'
import { settings as standalone } from '../standalone/settings.ts'
import { isWorkspaceId } from './tables.ts'

const { dataDir, databaseUrl, internalSecret, acceptedSecret, sealingKeys } = standalone
const { filesDir, filesS3Endpoint, filesS3Bucket, filesS3Region, filesS3AccessKeyId, filesS3SecretAccessKey } =
  standalone
const ofFiles = { filesDir, filesS3Endpoint, filesS3Bucket, filesS3Region, filesS3AccessKeyId, filesS3SecretAccessKey }

type Env = Readonly<Record<string, string | undefined>>

/** `DATABASE_URL` or else `DATA_DIR` says which installation it is, as for the processes. Throws a SettingsError. */
export const readSourceSettings = (env: Env = process.env) =>
  readSettings({ dataDir, databaseUrl, ...ofFiles }, env, fileContradictions)

export const readTargetSettings = (env: Env = process.env) =>
  readSettings({ dataDir, databaseUrl, internalSecret, acceptedSecret, sealingKeys, ...ofFiles }, env, (given) => [
    ...fileContradictions(given),
    ...(given.databaseUrl !== null && given.internalSecret === null
      ? ['INTERNAL_SECRET is missing: that of the processes which are to use the database.']
      : []),
  ])

export type SourceSettings = ReturnType<typeof readSourceSettings>

export type ExportOptions = {
  readonly folder: string
  readonly workspaceId: string | null
  readonly whileRunning: boolean
  readonly withFiles: boolean
}
export type ImportOptions = { readonly folder: string }

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `npm run export -- --to <folder> [--workspace <id>] [--while-running] [--without-files]
npm run import -- --from <folder>

  --to <folder>      where the export is written: a new folder, or that of an export which was broken off
  --workspace <id>   only this workspace, which must be suspended
  --while-running    although processes run: what they write meanwhile is not in the export
  --without-files    without the contents of files: the target has the same FILES_DIR or bucket
  --from <folder>    what npm run export has written

DATABASE_URL, or else DATA_DIR, says which installation it is: docs/operating/moving.md.
`

/** Throws a UsageError. */
export function readExportOptions(args: readonly string[]): ExportOptions {
  const {
    to,
    workspace,
    'while-running': whileRunning,
    'without-files': withoutFiles,
  } = parsed(args, {
    to: { type: 'string' },
    workspace: { type: 'string' },
    'while-running': { type: 'boolean', default: false },
    'without-files': { type: 'boolean', default: false },
  })
  if (typeof workspace === 'string' && !isWorkspaceId(workspace))
    throw new UsageError(`--workspace must be the id of a workspace, not ${workspace}.`)
  return {
    folder: folderIn('to', to),
    workspaceId: typeof workspace === 'string' ? workspace : null,
    whileRunning: whileRunning === true,
    withFiles: withoutFiles !== true,
  }
}

/** Throws a UsageError. */
export const readImportOptions = (args: readonly string[]): ImportOptions => ({
  folder: folderIn('from', parsed(args, { from: { type: 'string' } })['from']),
})

type Declared = NonNullable<Parameters<typeof parseArgs>[0]>['options']
type Values = Readonly<Record<string, unknown>>

function parsed(args: readonly string[], options: NonNullable<Declared>): Values {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Relative to the folder in which npm was called, not to the one in which it runs scripts. */
function folderIn(option: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${option} is missing: a folder.`)
  return resolve(process.env['INIT_CWD'] ?? '.', value)
}
