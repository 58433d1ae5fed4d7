// The content of a document, read and changed in part: for long documents, and for callers that pay for each word.
import { Type } from 'typebox'
import { DocumentBrief, documentUpdated } from './documents.ts'
import { operation } from './operation.ts'
import { ExpectedVersion, Id, Version, closed } from './shared-fields.ts'
import {
  contentBytesMax,
  documentEditsMax,
  editFindLengthMax,
  editReplaceLengthMax,
  outlineHeadingsMax,
} from './size-limits.ts'

const line = (description: string, minimum = 1) => Type.Integer({ minimum, description })

const sectionOf = (description: string) => Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description })

const headingTitleMax = 200

const OutlineHeading = closed({
  section: Type.String({ maxLength: 60, description: 'Its number, such as `2.1`: the first one below the second.' }),
  level: Type.Integer({ minimum: 1, maximum: 6, description: 'As many as it has `#`.' }),
  title: Type.String({ maxLength: headingTitleMax, description: 'The text of the heading, as it is written.' }),
  fromLine: line('The line of the heading.'),
  toLine: line('The last line of the section, with those of the sections below it.'),
})

export const readDocumentContent = operation({
  name: 'documents.read-content',
  http: 'GET /documents/{id}/content',
  summary: 'Read a part of a document',
  description:
    'A section, a range of lines, or the whole content, with the outline by which to choose. Headings in code blocks, lists and quotations are none.',
  scope: 'documents:read',
  input: closed({
    id: Id,
    section: Type.Optional(
      sectionOf(
        'The number of a section in the outline, `2.1`, or its heading, `Opening hours` or `## Opening hours`. The sections below it belong to it. Not together with lines.',
      ),
    ),
    fromLine: Type.Optional(line('The first line, counted from 1.')),
    toLine: Type.Optional(line('The last line. One beyond the end is the last line.')),
    maxBytes: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: contentBytesMax,
        description:
          'Only as many whole lines as this holds in UTF-8, and at least one. `nextLine` says where to go on.',
      }),
    ),
  }),
  output: closed({
    id: Id,
    object: Type.Literal('document_content'),
    version: Version,
    title: Type.String({ maxLength: 200, description: 'Title of the document.' }),
    text: Type.String({ description: 'The Markdown of these lines, with their line ends.' }),
    fromLine: line('The first line that is shown.'),
    toLine: line('The last line that is shown; less than `fromLine` where there is none.', 0),
    nextLine: Type.Union([line('Where to go on.'), Type.Null()], {
      description: 'The first line that `maxBytes` left out; null where it left out none.',
    }),
    totalLines: Type.Integer({ minimum: 0, description: 'Lines of the whole document.' }),
    totalBytes: Type.Integer({ minimum: 0, description: 'Bytes of the whole document in UTF-8.' }),
    outline: Type.Array(OutlineHeading, {
      maxItems: outlineHeadingsMax,
      description: `Headings of the section that was asked for, otherwise of the document. Where there are more than ${outlineHeadingsMax}, those of the upper levels.`,
    }),
    headingCount: Type.Integer({
      minimum: 0,
      description: 'How many headings the outline would have without its bound.',
    }),
  }),
  success: 200,
  errors: ['not_found'],
})

const Edit = closed({
  find: Type.String({
    minLength: 1,
    maxLength: editFindLengthMax,
    description: 'Literal text, line breaks included: it must occur exactly once, unless `all` is set.',
  }),
  replace: Type.String({ maxLength: editReplaceLengthMax, description: 'What stands there instead; may be empty.' }),
  all: Type.Optional(Type.Boolean({ default: false, description: 'Replace it wherever it occurs, at least once.' })),
})

export const editDocument = operation({
  name: 'documents.edit',
  http: 'POST /documents/{id}/edit',
  summary: 'Edit the content of a document',
  description:
    'Finds text in the content and replaces it, edit after edit: each sees what those before it have left. All are made, or none. Where all lines of the document end in the same way, line breaks in the edits are taken as those.',
  scope: 'documents:write',
  input: closed({
    id: Id,
    expectedVersion: Type.Optional(ExpectedVersion),
    section: Type.Optional(
      sectionOf(
        'Only within this section: its number in the outline, or its heading. The text beside it stays as it is.',
      ),
    ),
    edits: Type.Array(Edit, { minItems: 1, maxItems: documentEditsMax, description: 'Made in this order.' }),
  }),
  output: closed({
    ...DocumentBrief.properties,
    replacements: Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: documentEditsMax,
      description: 'How often each edit has replaced its text, in the order of the edits.',
    }),
  }),
  success: 200,
  errors: ['not_found', 'version_mismatch', 'project_archived'],
  emits: [documentUpdated],
})
