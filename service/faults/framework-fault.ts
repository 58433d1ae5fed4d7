// Fastify's own refusals of a request, such as a body that is too large, as Faults.
import type { FastifyError } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { apiBodyBytesMax } from '#contract/operation.ts'

/** Returns the thrown value itself where it is none of Fastify's refusals. */
export function faultOfFramework(thrown: unknown, limitBytes: number = apiBodyBytesMax): unknown {
  switch ((thrown as Partial<FastifyError> | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('body_too_large', `A body has at most ${limitBytes} bytes.`, { limitBytes })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault('unsupported_media_type', 'Send application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Fault('invalid_json', 'The body has another length than it says.')
    default:
      return thrown
  }
}
