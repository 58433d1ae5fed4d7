// `npm run doctor -- [gateway|service|dispatcher|standalone]`: looks at everything that this process needs, with the
// same settings as the process, and says of each thing in a sentence how it is. It changes nothing. Exit code 0:
// nothing has failed; 1: something has; 2: there is no such process; 78: the settings are wrong.
import { join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { openDataFolder } from '#prisma/pglite.ts'
import { certificateContradictions } from '#runtime/certificates.ts'
import { metricsPortTaken } from '#runtime/metrics/metrics-server.ts'
import { SettingsError, readSettings } from '#runtime/settings.ts'
import { rateContradictions } from '#runtime/shared-settings.ts'
import { settings as dispatcherSettings } from '../dispatcher/settings.ts'
import { defaultCallerBounds } from '../gateway/overload/address-limits.ts'
import { serviceContradictions, settings as gatewaySettings } from '../gateway/settings.ts'
import { fileContradictions } from '../service/files/settings.ts'
import { oidcContradictions } from '../service/identity/oidc/settings.ts'
import { replicaContradictions, settings as serviceSettings } from '../service/settings.ts'
import { readSecret } from '../standalone/generated-files.ts'
import { settings as standaloneSettings } from '../standalone/settings.ts'
import { database, replica } from './database.ts'
import { found, lookAt, type Check, type Finding } from './finding.ts'
import { folder, nodeVersion, openFiles } from './machine.ts'
import { nameServers, ownCertificate, services } from './network.ts'
import { provider, redis } from './parts.ts'
import { rabbitmq } from './rabbitmq.ts'

const exitConfig = 78
const where = (url: string, application: string) => async () => ({ url, connections: 2, application })
const given = <T>(value: T | null, check: (value: T) => Check): Check[] => (value === null ? [] : [check(value)])

/** Each reads the settings of its process, and throws a SettingsError with every mistake. */
const checksOf: Readonly<Record<string, () => readonly Check[]>> = {
  gateway: () => {
    const settings = readSettings(gatewaySettings, process.env, (values) => [
      ...metricsPortTaken(values),
      ...rateContradictions(values),
      ...serviceContradictions(values),
    ])
    return [openFiles(settings.connectionsMax), ...given(settings.redisUrl, redis), ...services(settings)]
  },
  service: () => {
    const settings = readSettings(serviceSettings, process.env, (values) => [
      ...metricsPortTaken(values),
      ...rateContradictions(values),
      ...oidcContradictions(values),
      ...fileContradictions(values),
      ...certificateContradictions(values),
      ...replicaContradictions(values),
    ])
    return [
      openFiles(null),
      database({ ...settings, where: where(settings.databaseUrl, 'doctor') }),
      ...given(settings.databaseReadUrl, (url) => replica({ url: settings.databaseUrl, connections: 2 }, url)),
      redis(settings.redisUrl),
      rabbitmq(settings, 'publisher'),
      ...(settings.filesS3Endpoint === null ? [folder('FILES_DIR', settings.filesDir)] : []),
      ...given(settings.tlsCertificateFile, () => ownCertificate(settings)),
      ...given(settings.oidcIssuer, provider),
    ]
  },
  dispatcher: () => {
    const settings = readSettings(dispatcherSettings, process.env, (values) => metricsPortTaken(values))
    return [
      openFiles(null),
      database({ ...settings, where: where(settings.databaseUrl, 'doctor') }),
      rabbitmq(settings, 'consumer'),
      ...given(settings.redisUrl, redis),
      ...(settings.webhookProxy === null ? [nameServers()] : []),
    ]
  },
  standalone: () => {
    const settings = readSettings(standaloneSettings, process.env, (values) => [
      ...metricsPortTaken(values),
      ...rateContradictions(values),
      ...oidcContradictions(values),
      ...fileContradictions(values),
    ])
    const { dataDir, databaseUrl, internalSecret } = settings
    const embedded = join(resolve(dataDir), 'database')
    const isNew = databaseUrl === null && !existsSync(embedded)
    const secret = internalSecret ?? readSecret(dataDir, 'internal-secret') ?? ''
    const opened =
      databaseUrl === null ? async () => ({ pglite: await openDataFolder(embedded) }) : where(databaseUrl, 'doctor')
    return [
      openFiles(defaultCallerBounds.connectionsMax),
      folder('DATA_DIR', dataDir),
      isNew
        ? { about: 'Database', look: async () => [found('ok', 'Database', 'It is made at the first start.')] }
        : database({ ...settings, internalSecret: secret, where: opened }),
      ...given(settings.redisUrl, redis),
      ...given(settings.amqpUrl, (amqpUrl) => rabbitmq({ ...settings, amqpUrl }, 'both')),
      ...(settings.webhookProxy === null ? [nameServers()] : []),
      ...given(settings.oidcIssuer, provider),
    ]
  },
}

/** By what the environment gives, where the command does not say. */
function guessed({ SERVICE_URLS, AMQP_URL, REDIS_URL, DATABASE_URL }: NodeJS.ProcessEnv): string {
  if (SERVICE_URLS !== undefined) return 'gateway'
  if (DATABASE_URL === undefined || AMQP_URL === undefined) return 'standalone'
  return REDIS_URL === undefined ? 'dispatcher' : 'service'
}

const signs = { ok: 'ok      ', warning: 'WARNING ', failure: 'FAILURE ' } as const

function print({ level, about, sentence }: Finding): void {
  process.stdout.write(`${signs[level]} ${about}: ${sentence}\n`)
}

const [process_ = guessed(process.env)] = process.argv.slice(2)
const checks = checksOf[process_]
if (checks === undefined) {
  process.stderr.write(`There is no process ${process_}. Use one of ${Object.keys(checksOf).join(', ')}.\n`)
  process.exit(2)
}
try {
  const looked = [nodeVersion, ...checks()]
  print(found('ok', 'Settings', `Those of ${process_} are complete, and none contradicts another.`))
  const findings = await Promise.all(looked.map(lookAt))
  findings.flat().forEach(print)
  const count = (level: Finding['level']): number => findings.flat().filter((each) => each.level === level).length
  process.stdout.write(`${count('failure')} failures, ${count('warning')} warnings\n`)
  process.exit(count('failure') === 0 ? 0 : 1)
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  for (const mistake of error.mistakes) print(found('failure', 'Settings', mistake))
  process.exit(exitConfig)
}
