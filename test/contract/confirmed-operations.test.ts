// What asks people who are signed in for a recent confirmation. Each operation of the workspace settings, and each of
// its fields, is judged: dangerous in the contract (`confirmed`), or harmless here.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, type Operation } from '#contract/operation.ts'

/**
 * Neither gives access, nor makes a secret, nor sends data to where they did not go, nor decides who may what. `true`:
 * all of its fields. What only takes access away is harmless, too: nobody has to look for a password before it.
 */
const harmless: Readonly<Record<string, true | readonly string[]>> = {
  'account.change-password': true, // Takes the current password itself.
  'accounts.recover': true, // By a link.
  'accounts.request-reset': true, // To the address that the account has.
  'alarms.dismiss': true,
  'alarms.send-test': true, // To the address of whoever asks.
  'alarms.update-preferences': true,
  'alarms.update-settings': true, // Emails only: alarms and events stay.
  'api-keys.expire-previous-secret': true,
  'api-keys.revoke': true,
  'api-keys.update': ['name', 'description', 'toolNames'],
  'custom-fields.archive': true,
  'custom-fields.create': true,
  'custom-fields.unarchive': true,
  'custom-fields.update': true,
  'deliveries.cancel-replay-job': true,
  'deliveries.replay': true, // To where the webhook goes anyway.
  'deliveries.replay-many': true,
  'email-changes.confirm-by-link': true, // By a link.
  'email-changes.decline': true,
  'event-types.trigger': true, // To where webhooks go anyway.
  'invitations.accept': true, // By a link.
  'invitations.get': true,
  'jobs.cancel': true,
  'members.update': ['name'],
  'sessions.begin-at-provider': true,
  'sessions.begin-with-passkey': true,
  'sessions.complete-at-provider': true,
  'sessions.complete-with-code': true,
  'sessions.complete-with-passkey': true,
  'sessions.confirm': true,
  'sessions.create': true,
  'sessions.end': true,
  'sessions.revoke': true,
  'setup.complete': true, // By a link.
  'webhooks.delete': true,
  'webhooks.enable': true, // To where it went before.
  'webhooks.pause': true,
  'webhooks.recover': true, // To where it goes anyway.
  'webhooks.resume': true,
  'webhooks.revoke-grants': true,
  'webhooks.test': true,
  'webhooks.update': ['name', 'ignoredKeyIds', 'includeImports', 'order', 'maxPerMinute'],
  'workspaces.create-sandbox': true,
  'workspaces.reset': true, // Of a sandbox, which holds nothing that is missed.
  'workspaces.update': ['name', 'slug', 'timeZone', 'defaultCurrency', 'defaultCountry', 'dryRun'],
}

const ofPeople = operations.filter(
  (operation) => operation.audiences.includes('settings') && operation.admits !== 'operator' && changes(operation),
)
/** They say which object, and not what becomes of it. */
const addressing = new Set(['id', 'expectedVersion'])

const fieldsOf = ({ input, ofOperator }: Operation): string[] =>
  Object.keys(input.properties).filter((field) => !addressing.has(field) && !ofOperator.includes(field))

test.each(ofPeople.map((operation) => [operation.name, operation] as const))(
  '%s is judged once, with each of its fields and no other',
  (name, operation) => {
    const judged = [operation.confirmed ?? [], harmless[name] ?? []]
    const timesJudged = (field: string) => judged.filter((fields) => fields === true || fields.includes(field)).length
    const named = judged.flatMap((fields) => (fields === true ? [] : [...fields]))

    expect(fieldsOf(operation).filter((field) => timesJudged(field) !== 1)).toEqual([])
    expect(named.filter((field) => !(field in operation.input.properties))).toEqual([])
    expect(operation.confirmed !== undefined || name in harmless).toBe(true)
    if (operation.confirmed === true) expect(harmless).not.toHaveProperty([name])
  },
)

test('no other operation is judged: where only the operator or an API key calls, nobody is signed in', () => {
  const names = new Set<string>(ofPeople.map(({ name }) => name))
  const asking = operations.filter(({ confirmed }) => confirmed !== undefined).map(({ name }) => name)

  expect([...asking, ...Object.keys(harmless)].filter((name) => !names.has(name))).toEqual([])
})

test('the page for operators lists what asks, as the contract says it', () => {
  const rows = ofPeople
    .filter(({ confirmed }) => confirmed !== undefined)
    .map(({ name, summary, confirmed = [] }) => {
      const when = confirmed === true ? 'always' : confirmed.map((field) => `\`${field}\``).join(', ')
      return `| \`${name}\` | ${summary} | ${when} |`
    })
  const page = readFileSync(new URL('../../docs/operating/signing-in.md', import.meta.url), 'utf8')

  expect(page.split('\n').filter((line) => rows.some((row) => row.split('|')[1] === line.split('|')[1]))).toEqual(rows)
})
