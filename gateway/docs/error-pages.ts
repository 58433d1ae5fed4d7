// A page for each error code, and one that lists them all.
import { adviceOn, exampleProblem, fieldMeanings, meaningOfFault } from '#contract/faults/help.ts'
import {
  faultCodes,
  fieldCodes,
  isRetryable,
  pageOfFault,
  statusOf,
  titleOf,
  type FaultCode,
} from '#contract/faults/fault.ts'
import { note, cell, heading, link, codeBlock, htmlPage, paragraph, table } from './html.ts'
import type { Page } from './page.ts'

const errorEntry = (code: FaultCode) => ({
  ...{ code, status: statusOf(code), title: titleOf(code), retryable: isRetryable(code) },
  ...{ meaning: meaningOfFault(code), advice: adviceOn(code), example: exampleProblem(code) },
})

export function errorPage(code: FaultCode): Page {
  const { status, title, retryable, meaning, advice, example } = errorEntry(code)
  const retryAdvice = retryable
    ? 'The same call can succeed later.'
    : 'Sending the same call again does not help by itself.'
  return {
    json: errorEntry(code),
    html: htmlPage(
      title,
      note(`\`${code}\`, status ${status}. ${retryAdvice}`),
      ...[heading('What it means', 'meaning'), paragraph(meaning)],
      ...[heading('What to do', 'advice'), paragraph(advice)],
      ...[heading('Example', 'example'), codeBlock(JSON.stringify(example, null, 2))],
    ),
  }
}

export const errorsPage = (): Page => ({
  json: {
    data: faultCodes.map(errorEntry),
    fieldCodes: fieldCodes.map((code) => ({ code, meaning: fieldMeanings[code] })),
  },
  html: htmlPage(
    'Errors',
    paragraph(
      'Every refusal is a problem (RFC 9457) with a `code` that stays the same, over HTTP, in MCP tools and in each item of a batch. 400 says that the call could not be read, 422 that it was read and its values are not acceptable.',
    ),
    table(['Code', 'Status', 'What has happened'], faultCodes.map(errorRow)),
    heading('Codes of single values', 'values'),
    paragraph('They stand in `errors`, each with the place of the value that was refused.'),
    table(
      ['Code', 'What is wrong with the value'],
      fieldCodes.map((code) => [cell(`\`${code}\``), cell(fieldMeanings[code])]),
    ),
  ),
})

const errorRow = (code: FaultCode): string[] => [
  link(pageOfFault(code), `\`${code}\``),
  cell(String(statusOf(code))),
  cell(`${titleOf(code)}.`),
]
