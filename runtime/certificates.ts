// Certificates of the connection between gateway and service, from PEM files, and the authorities that are trusted in
// those of others. The one that a server shows is read again when its files change, so that a renewed one needs no
// restart.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type Server } from 'node:tls'
import type { Log } from './log.ts'
import { StartupError, type Part } from './process.ts'
import { text } from './settings.ts'

/** Spread into the settings of a process that may serve https. */
export const certificateSettings = {
  tlsCertificateFile: text('TLS_CERTIFICATE_FILE', {
    default: null,
    description:
      'The certificate with which the service serves https, then `https://` in SERVICE_URLS: a PEM file, intermediate certificates after it. Read again within a minute after it has changed. Needs TLS_KEY_FILE.',
  }),
  tlsKeyFile: text('TLS_KEY_FILE', {
    default: null,
    description: 'The private key of TLS_CERTIFICATE_FILE: a PEM file without a passphrase.',
  }),
}
type CertificateSettings = Readonly<Record<keyof typeof certificateSettings, string | null>>

/** For `readSettings`. */
export const certificateContradictions = ({ tlsCertificateFile, tlsKeyFile }: CertificateSettings): string[] => {
  if ((tlsCertificateFile === null) === (tlsKeyFile === null)) return []
  const [given, missing] = ['TLS_CERTIFICATE_FILE', 'TLS_KEY_FILE']
  return [tlsKeyFile === null ? `${given} is given without ${missing}` : `${missing} is given without ${given}`]
}

export type ServerCertificate = { readonly cert: string; readonly key: string }

/** Returns null where there is none. Throws a StartupError when the files cannot be used. */
export function readServerCertificate({
  tlsCertificateFile,
  tlsKeyFile,
}: CertificateSettings): ServerCertificate | null {
  if (tlsCertificateFile === null || tlsKeyFile === null) return null
  const certificate = {
    cert: readPem('TLS_CERTIFICATE_FILE', tlsCertificateFile),
    key: readPem('TLS_KEY_FILE', tlsKeyFile),
  }
  try {
    createSecureContext(certificate)
    return certificate
  } catch (cause) {
    throw new StartupError(
      `TLS_CERTIFICATE_FILE (${tlsCertificateFile}) and TLS_KEY_FILE (${tlsKeyFile}) are not a certificate and its key in PEM: ${(cause as Error).message}.`,
      { cause },
    )
  }
}

const lookEveryMs = 60_000

/**
 * Shows a changed certificate on new connections of a server over TLS. One that cannot be used is logged, and the last
 * one stays.
 */
export function renewServerCertificate(
  server: object,
  settings: CertificateSettings,
  log: Pick<Log, 'info' | 'warn'>,
  everyMs = lookEveryMs,
): Part {
  let shown = readServerCertificate(settings)
  let failed = ''
  function look(): void {
    try {
      const now = readServerCertificate(settings)
      failed = ''
      if (now === null || (now.cert === shown?.cert && now.key === shown.key)) return
      ;(server as Server).setSecureContext(now)
      shown = now
      log.info({ validTo: new X509Certificate(now.cert).validTo }, 'the certificate was renewed')
    } catch (err) {
      const { message } = err as Error
      if (message !== failed) log.warn({ err }, 'the changed certificate cannot be used, the last one stays')
      failed = message
    }
  }
  const looking = setInterval(look, everyMs).unref()
  return { close: async () => clearInterval(looking) }
}

/** The certificates of authorities, from a PEM file. Throws a StartupError when there is none in it. */
export function readAuthorities(setting: string, file: string): string {
  const pem = readPem(setting, file)
  try {
    void new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw new StartupError(`${setting} (${file}) holds no certificate in PEM.`, { cause })
  }
}

const refusals =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY)_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_CERT_)/
const noTls = /^(?:EPROTO$|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$)/

/** Says why a client does not accept the other side of a TLS connection; null for an error of another kind. */
export function certificateRefusal({ code = '', message }: NodeJS.ErrnoException): string | null {
  if (noTls.test(code)) return 'there is no TLS at this port'
  return refusals.test(code) ? message : null
}

function readPem(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartupError(`${setting} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
