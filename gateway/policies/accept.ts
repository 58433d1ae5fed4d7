// Does the caller take what is answered here? A caller that says nothing takes anything (RFC 9110, section 12.5.1).
import { Fault } from '#contract/fault.ts'

export const restTypes = ['application/json', 'application/problem+json']
export const mcpTypes = ['application/json', 'text/event-stream']

type Range = { readonly range: string; readonly quality: number }

export const checkAccept = (accept: string | undefined, offered: readonly string[]): void =>
  void preferred(accept, offered)

/** The offered type that the caller likes best; of those that it likes alike the first. */
export function preferred(accept: string | undefined, offered: readonly string[]): string {
  const ranges = rangesIn(accept === undefined || accept.trim() === '' ? '*/*' : accept)
  const rated = offered.map((type) => ({ type, quality: qualityOf(type, ranges) }))
  const [best] = rated.toSorted((a, b) => b.quality - a.quality)
  if (best !== undefined && best.quality > 0) return best.type
  throw new Fault('not_acceptable', `Answers are ${offered.join(' or ')}.`)
}

const rangesIn = (accept: string): Range[] =>
  accept.split(',').map((each) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    const [weight = '1'] = parameters.flatMap((parameter) => /^q=(\d(?:\.\d*)?)$/.exec(parameter)?.[1] ?? [])
    return { range, quality: Number(weight) }
  })

/** The closest range decides, whatever a wider one says. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const closest = [type, `${type.split('/')[0]}/*`, '*/*'].flatMap((form) =>
    ranges.filter(({ range }) => range === form),
  )
  return closest[0]?.quality ?? 0
}
