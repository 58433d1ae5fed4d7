// Prints the commands of a receiver's response header into docs/guides/webhooks.md, from the contract.
// `npm run docs` writes it; docs/check.ts refuses a table that is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandHeader, receiverCommands } from '#contract/webhook-headers.ts'

export const webhooksPage = join(import.meta.dirname, 'guides/webhooks.md')
const block = /(?<=<!-- commands -->\n)[^]*(?=<!-- \/commands -->)/
/** The default of the setting. */
const brand = 'service'

export const withCommands = (text: string): string =>
  text.replace(block, () =>
    [
      '',
      `| \`${commandHeader(brand)}\` | with | what happens |`,
      '|---|---|---|',
      ...Object.entries(receiverCommands).map(
        ([value, { onStatus, effect }]) => `| \`${value}\` | ${onStatus} | ${effect} |`,
      ),
      '',
      '',
    ].join('\n'),
  )

if (import.meta.main) writeFileSync(webhooksPage, withCommands(readFileSync(webhooksPage, 'utf8')))
