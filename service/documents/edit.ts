// A document whose content is edited in places. It is a change of the content like any other.
import type { editDocument } from '#contract/documents.ts'
import type { Input, Output } from '#contract/operation.ts'
import { find } from '../collection/find.ts'
import { updateObject } from '../collection/update.ts'
import { assertVersion } from '../execution/preconditions.ts'
import type { Handler } from '../execution/handler.ts'
import { refuseField } from '../faults/field-refusals.ts'
import { toNfc } from '../text/characters.ts'
import { applyEdits, type Edited } from './apply-edits.ts'
import { documents } from './collection.ts'
import { linesOf } from './lines.ts'
import { findSection, sectionsOf } from './sections.ts'

type Asked = Pick<Input<typeof editDocument>, 'section' | 'edits'>

export const edit: Handler<typeof editDocument> = async ({ id, expectedVersion, ...asked }, call) => {
  const before = await find(call.db, documents, call.workspaceId, id)
  // Before the edits: of another version they may well not fit.
  assertVersion(before, expectedVersion, call)
  const { text, replacements } = edited(before.content, asked)
  const after = await updateObject(documents, before, { content: text }, call)
  // `brief` leaves out the content alone: the rest are the fields of the answer.
  return { ...documents.brief(after), replacements } as Output<typeof editDocument>
}

/** The whole content after the edits. Throws `validation_failed` where one of them does not fit. */
export function edited(content: string, { section, edits }: Asked): Edited {
  const { start, end, firstLine } = section === undefined ? whole(content) : partCalled(section, content)
  const { text, replacements } = applyEdits(content.slice(start, end), edits, firstLine)
  // What meets where a text ends and its replacement begins may have a shorter spelling.
  return { text: toNfc(content.slice(0, start) + text + content.slice(end)), replacements }
}

const whole = ({ length }: string) => ({ start: 0, end: length, firstLine: 1 })

function partCalled(section: string, content: string) {
  const lines = linesOf(content)
  const found = findSection(sectionsOf(lines), section)
  if ('flaw' in found) return refuseField('section', found.isMany ? 'not_unique' : 'not_found', found.flaw)
  const { fromLine, toLine } = found.section
  return { start: lines.startOf(fromLine), end: lines.startOf(toLine + 1), firstLine: fromLine }
}
