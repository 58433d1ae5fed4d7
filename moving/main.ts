// `npm run export` and `npm run import`: moves an installation, or one workspace, to another database. Exit code 0: all
// of it was done and verified; 1: a sentence says why not; 2: the arguments are wrong; 78: the settings are.
import { runOnce } from '#runtime/process.ts'
import { generatedSecret } from '../standalone/generated-files.ts'
import { readManifest } from './archive.ts'
import { exportTo } from './export.ts'
import { importFrom } from './import.ts'
import { openSource, openTarget } from './place.ts'
import { reportProgress } from './progress.ts'
import {
  readExportOptions,
  readImportOptions,
  readSourceSettings,
  readTargetSettings,
  usage,
  UsageError,
  type ExportOptions,
  type ImportOptions,
} from './settings.ts'

const exitUsage = 2

async function runExport(options: ExportOptions): Promise<void> {
  await using source = await openSource(readSourceSettings())
  const { tables, whileRunning } = await exportTo(source, options, reportProgress())
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  process.stdout.write(`Exported ${rows} rows to ${options.folder}.\n`)
  if (whileRunning) process.stdout.write('What processes have written meanwhile is not in it.\n')
}

async function runImport({ folder }: ImportOptions): Promise<void> {
  const settings = readTargetSettings()
  // Before a data folder is made for it.
  readManifest(folder)
  await using target = await openTarget(settings)
  const internalSecret = settings.internalSecret ?? generatedSecret(settings.dataDir, 'internal-secret').value
  const { workspaceId } = await importFrom(target, folder, { ...settings, internalSecret }, reportProgress())
  process.stdout.write(
    workspaceId === null
      ? 'Imported: processes can be started.\n'
      : `Imported the workspace ${workspaceId}. It is suspended, and its deliveries are held: docs/operating/moving.md.\n`,
  )
}

const commands: Readonly<Record<string, (args: readonly string[]) => () => Promise<void>>> = {
  export: (args) => {
    const options = readExportOptions(args)
    return () => runExport(options)
  },
  import: (args) => {
    const options = readImportOptions(args)
    return () => runImport(options)
  },
}

const [name = '', ...args] = process.argv.slice(2)
try {
  const command = commands[name]
  if (command === undefined) throw new UsageError(`There is no command ${name}.`)
  const work = command(args)
  await runOnce(name, work)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n\n${usage}`)
  process.exit(exitUsage)
}
