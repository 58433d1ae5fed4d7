// Emails about alarms: one for each person who is to be told, about all that came up together.
import { alarmWords } from '#contract/alarm-words.ts'
import type { Alarm, AlarmKind } from '#contract/alarms.ts'
import { consolePrefix } from '#contract/route-paths.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import { attemptEach } from '../execution/change.ts'
import { inLine, momentText } from '../mail/letter.ts'
import type { Outbox, Writer } from '../mail/outbox.ts'
import { findRecipients, standingAmong, takeUnmailed, toAlarm, workspacesToMail } from './rows.ts'

/** An email names so many, and counts the others. */
const namedMax = 20
const groupDefaultSeconds = 300

type AlarmMailDeps = { readonly db: Database; readonly outbox: Outbox; readonly groupSeconds?: number | undefined }

/** Returns for how many workspaces emails were put into the outbox. */
export async function mailAlarms({ db, outbox, groupSeconds = groupDefaultSeconds }: AlarmMailDeps): Promise<number> {
  const due = await workspacesToMail(db, groupSeconds)
  await attemptEach(due, ({ workspaceId }) =>
    transact(db, async (tx) => {
      const taken = await takeUnmailed(tx, workspaceId)
      if (taken.length === 0) return
      for (const { memberId, mutedKinds } of await findRecipients(tx, workspaceId)) {
        const told = taken.filter(({ kind, subjectId }) => isTold(kind, mutedKinds) && subjectId !== memberId)
        if (told.length === 0) continue
        const alarmIds = told.slice(0, namedMax).map(({ id }) => id)
        const content = { workspaceId, memberId, alarmIds, more: told.length - alarmIds.length }
        await outbox.put(tx, workspaceId, { kind: 'alarms', content }, new Date())
      }
    }),
  )
  return due.length
}

const isTold = (kind: AlarmKind, muted: readonly AlarmKind[]): boolean => !muted.includes(kind)

/** What has been settled since is left out; where nothing is left, no email is sent. */
export const writeAlarms: Writer<'alarms'> = async ({ workspaceId, memberId, alarmIds, more }, { db, publicUrl }) => {
  const member = await db.member.findFirst({
    where: { workspaceId, id: memberId, status: 'active', deletedAt: null },
    select: { role: true, account: { select: { email: true } }, workspace: { select: { name: true, timeZone: true } } },
  })
  const standing = await standingAmong(db, workspaceId, alarmIds)
  if (member === null || member.account === null || standing.length === 0) return null
  const workspace = inLine(member.workspace.name)
  const said = standing.map((row) => wordsOf(toAlarm(row), workspaceId, member.workspace.timeZone))
  const [first] = said
  const isOnly = standing.length === 1 && more === 0 && first !== undefined
  const all = `${publicUrl}${consolePrefix}/w/${workspaceId}`
  return {
    to: member.account.email,
    letter: {
      subject: `[${workspace}] ${isOnly ? first.title : `${standing.length + more} alarms`}`,
      paragraphs: isOnly ? [`${first.title}.`, first.text] : [`These need attention in the workspace ${workspace}:`],
      items: isOnly ? [] : said.map(({ title, text, path }) => ({ title, text, url: publicUrl + path })),
      action: isOnly
        ? { label: 'View', url: publicUrl + first.path }
        : { label: more === 0 ? 'View all alarms' : `View these and ${more} more`, url: all },
      footnotes: [
        `You get this email because you are ${member.role === 'owner' ? 'an owner' : 'an admin'} of ${workspace}. Choose what you get emails about: ${publicUrl}${consolePrefix}/account`,
      ],
    },
  }
}

const wordsOf = (alarm: Alarm, workspaceId: string, timeZone: string) =>
  alarmWords(
    { ...alarm, subject: { ...alarm.subject, name: inLine(alarm.subject.name) } },
    { workspaceId, at: (moment) => momentText(new Date(moment), timeZone) },
  )
