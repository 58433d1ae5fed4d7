// The console of a system that sends email: an SMTP server of the story's own takes all of it.
import { afterAll, beforeAll, describe } from 'vitest'
import { lacksForeign } from '../../support/foreign.ts'
import { late } from '../../support/late.ts'
import { firstOwner, type Person } from '../../support/person.ts'
import { startSmtpServer, type TestSmtpServer } from '../../support/servers/smtp-server.ts'
import { describeConsole, openConsole, type Console } from './open-console.ts'

type Story = {
  readonly smtp: TestSmtpServer
  readonly console: Console
  /** The first account, of the workspace Acme. */
  readonly owner: Person & { readonly workspaceId: string }
}

/** Skipped by name where there is no SMTP server or no Chromium. All of the story is there once its hooks have run. */
export function describeConsoleWithEmail(name: string, tell: (story: Story) => void): void {
  describe.skipIf(lacksForeign)('with an SMTP server', () => {
    describeConsole(name, () => {
      const told: { smtp?: TestSmtpServer; console?: Console; owner?: Story['owner'] } = {}
      beforeAll(async () => {
        told.smtp = await startSmtpServer()
        told.console = await openConsole({ mail: told.smtp.config, mailPatience: { groupSeconds: 0 } })
        told.owner = await firstOwner(told.console.system, { workspaceName: 'Acme' })
      }, 60_000)
      afterAll(async () => {
        await told.console?.[Symbol.asyncDispose]()
        await told.smtp?.[Symbol.asyncDispose]()
      })
      tell({ smtp: late(() => told.smtp), console: late(() => told.console), owner: late(() => told.owner) })
    })
  })
}
