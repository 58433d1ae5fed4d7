// URIs of objects: `workspace://tasks/WEB-42`, and of a part of a document,
// `workspace://documents/<id>?section=2.1` or `?lines=10-80`. Pure.
import { Fault } from '#contract/faults/fault.ts'
import { collectionSegments, type CollectionSegment } from '#contract/scopes.ts'
import { invalidParameter } from '../faults/field-refusals.ts'
import { shortened } from '../text/json-pointer.ts'

type Lines = { readonly from: number; readonly to?: number }
export type ObjectUri = {
  readonly segment: CollectionSegment
  readonly id: string
  readonly section?: string
  readonly lines?: Lines
}

const uriForm = /^workspace:\/\/([a-z-]+)\/([^/?#]+)(?:\?([^#]*))?$/

/** Null for any other URI. Throws `invalid_parameter` for a query that the object does not take. */
export function parseObjectUri(uri: string): ObjectUri | null {
  const [, named = '', id = '', query = ''] = uriForm.exec(uri) ?? []
  const segment = collectionSegments.find((each) => each === named)
  if (segment === undefined) return null
  return { segment, id: decoded(id), ...partIn(segment, new URLSearchParams(query)) }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    throw new Fault('not_found', 'The URI is not percent-encoded UTF-8.')
  }
}

function partIn(segment: CollectionSegment, query: URLSearchParams): Pick<ObjectUri, 'section' | 'lines'> {
  const known = segment === 'documents' ? ['section', 'lines'] : []
  for (const name of query.keys()) {
    if (!known.includes(name))
      throw invalidParameter(shortened(name), 'unknown', 'The URI of this object has no such part.')
    if (query.getAll(name).length > 1) throw invalidParameter(name, 'not_unique', 'Stands more than once in the URI.')
  }
  const [section, lines] = [query.get('section'), query.get('lines')]
  return { ...(section && { section }), ...(lines && { lines: linesIn(lines) }) }
}

function linesIn(text: string): Lines {
  const [all, from, dash, to] = /^(\d{1,7})(-(\d{1,7})?)?$/.exec(text) ?? []
  if (all === undefined || from === undefined || Number(from) === 0) {
    throw invalidParameter('lines', 'wrong_format', 'Must be lines such as 10-80, counted from 1; 10- goes to the end.')
  }
  if (dash === undefined) return { from: Number(from), to: Number(from) }
  return { from: Number(from), ...(to !== undefined && { to: Number(to) }) }
}

/** What names an object in its URI: the identifier of a task and the key of a project, else the id. */
type Named = { readonly id: string; readonly identifier?: unknown; readonly key?: unknown }

export const nameInUri = ({ id, identifier, key }: Named): string =>
  [identifier, key].find((each) => typeof each === 'string') ?? id

export const uriOf = (segment: CollectionSegment, object: Named): string =>
  `workspace://${segment}/${encodeURIComponent(nameInUri(object))}`
