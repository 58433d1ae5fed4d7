// What goes over the network: services as a gateway finds them, certificates, and names of receivers.
import { X509Certificate } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { readAuthorities, readServerCertificate } from '#runtime/certificates.ts'
import { startupSentence } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { withTimeout } from '#runtime/timeouts.ts'
import { openProber, trustIn } from '../gateway/upstream/service-client.ts'
import { principalSigner } from '../gateway/upstream/signed-principal.ts'
import { found, levelOf, type Check, type Finding } from './finding.ts'

const answerWithinMs = 5_000
const dayMs = 86_400_000
const renewDaysBefore = 14

type ServiceSettings = {
  readonly services: readonly string[]
  readonly serviceCaFile: string | null
  readonly internalSecret: string
}

/** Asks each service as a gateway does, with its signature. */
export const services = ({ services: urls, serviceCaFile, internalSecret }: ServiceSettings): Check[] =>
  urls.map((url) => ({ about: url, look: () => lookAtService(url, serviceCaFile, internalSecret) }))

async function lookAtService(url: string, caFile: string | null, internalSecret: string): Promise<Finding[]> {
  const { hostname, host, origin, protocol } = new URL(url)
  const name = hostname.replaceAll(/^\[|\]$/g, '')
  const addresses = await lookup(name, { all: true })
  const resolved = found('ok', url, `${name} is ${addresses.map(({ address }) => address).join(', ')}.`)
  const authorities = caFile === null ? null : readAuthorities('SERVICE_CA_FILE', caFile)
  const shown = protocol === 'https:' ? await certificateShown(url, authorities) : []
  const signed = principalSigner(deriveKey(internalSecret, 'principal'))
  const prober = openProber(signed, trustIn(authorities), answerWithinMs)
  const result = await prober.probe({ origin, host })
  await prober.close()
  return [resolved, ...shown, probeFound(url, result?.kind ?? 'unanswered')]
}

const outcomes = {
  ready: 'It is ready, and accepts the signature of this INTERNAL_SECRET.',
  not_ready: 'It answers, and is not ready: see its /ready and its log.',
  signature_refused: 'It refuses the signature: INTERNAL_SECRET is another one there, or its clock is off.',
  unanswered: 'It was reached and did not answer.',
  unreachable: 'It cannot be reached, or its certificate is not to be trusted.',
} as const

const probeFound = (url: string, kind: keyof typeof outcomes): Finding =>
  found(kind === 'ready' ? 'ok' : 'failure', url, outcomes[kind])

/** Nothing of a service that cannot be reached. */
async function certificateShown(url: string, authorities: string | null): Promise<Finding[]> {
  const { hostname, port } = new URL(url)
  const trust = authorities === null ? {} : { ca: authorities }
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, ...trust })
  try {
    const secured = new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve)
      socket.once('error', reject)
    })
    await withTimeout(answerWithinMs, secured, 'There was no TLS handshake.')
    return [validUntil(url, new Date(socket.getPeerCertificate().valid_to))]
  } catch (error) {
    if (startupSentence(error) !== null) return []
    return [found('failure', url, `Its certificate is not accepted: ${(error as Error).message}.`)]
  } finally {
    socket.destroy()
  }
}

type CertificateSettings = Parameters<typeof readServerCertificate>[0]

export const ownCertificate = (settings: CertificateSettings): Check => ({
  about: 'TLS_CERTIFICATE_FILE',
  look: async () => {
    readServerCertificate(settings)
    const { validTo } = new X509Certificate(readFileSync(settings.tlsCertificateFile ?? ''))
    return [validUntil('TLS_CERTIFICATE_FILE', new Date(validTo))]
  },
})

export function validUntil(about: string, end: Date, now = Date.now()): Finding {
  const days = (end.getTime() - now) / dayMs
  const level = levelOf(days, renewDaysBefore, 0)
  const advice = level === 'ok' ? '' : level === 'warning' ? ' Renew it.' : ' It has expired.'
  return found(level, about, `The certificate is valid until ${end.toISOString().slice(0, 10)}.${advice}`)
}

/** Dispatchers ask the name servers of the system themselves. */
export const nameServers = (): Check => ({
  about: 'DNS',
  look: async () => {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 })
    const servers = resolver.getServers()
    if (servers.length === 0) return [found('failure', 'DNS', 'The system has no name servers.')]
    // That the name has no address is an answer, too.
    const answered = await resolver.resolve4('example.com').then(
      () => true,
      (error: NodeJS.ErrnoException) => ['ENOTFOUND', 'ENODATA'].includes(error.code ?? ''),
    )
    const list = servers.join(', ')
    return answered
      ? [found('ok', 'DNS', `The name servers answer (${list}).`)]
      : [found('warning', 'DNS', `No name server answers (${list}): webhooks to names of public hosts fail.`)]
  },
})
