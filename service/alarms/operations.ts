// Alarms of a workspace: those that stand, who gets emails about them, and what each person wants none about.
import {
  alarmKinds,
  scopeOfAlarm,
  type AlarmKind,
  type AlarmPreferences,
  type AlarmSettings,
  type dismissAlarm,
  type getAlarmPreferences,
  type getAlarmSettings,
  type listAlarms,
  type sendTestEmail,
  type updateAlarmPreferences,
  type updateAlarmSettings,
} from '#contract/alarms.ts'
import { Fault } from '#contract/faults/fault.ts'
import { covers } from '#contract/scopes.ts'
import type { Call, Handler, Handlers } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { countTry, testMailTries } from '../identity/accounts/sign-in-attempts.ts'
import type { Outbox } from '../mail/outbox.ts'
import { closeAlarm, standingAlarms, toAlarm } from './rows.ts'

type AlarmDeps = {
  /** Null where no email is sent. */
  readonly outbox: Outbox | null
}

export const alarmHandlers = ({ outbox }: AlarmDeps) =>
  ({
    'alarms.list': list,
    'alarms.dismiss': dismiss,
    'alarms.settings': getSettings(outbox),
    'alarms.update-settings': updateSettings(outbox),
    'alarms.preferences': getPreferences,
    'alarms.update-preferences': updatePreferences,
    'alarms.send-test': sendTest(outbox),
  }) satisfies Partial<Handlers>

const list: Handler<typeof listAlarms> = async (_input, { db, workspaceId, principal }) => {
  const kinds = alarmKinds.filter((kind) => covers(principal.scopes, scopeOfAlarm(kind)))
  return { data: (await standingAlarms(db, workspaceId, kinds)).map(toAlarm) }
}

const dismiss: Handler<typeof dismissAlarm> = async ({ id }, { db, workspaceId, now, audit }) => {
  const closed = await closeAlarm(db, workspaceId, id, now)
  if (closed === null) throw notFoundById('alarm')
  const { kind, subjectName: name } = closed
  const shown = { id, object: 'alarm', name, kind }
  if (closed.wasOpen) audit({ ...shown, dismissed: true }, { ...shown, dismissed: false })
  return null
}

type SettingsCall = Pick<Call, 'db' | 'workspaceId'>

async function readSettings({ db, workspaceId }: SettingsCall) {
  const row = await db.alarmSettings.findUnique({ where: { workspaceId } })
  // The table's checks allow no other values.
  return {
    recipients: (row?.recipients ?? 'admins') as AlarmSettings['recipients'],
    mutedKinds: (row?.mutedKinds ?? []) as AlarmKind[],
  }
}

async function shownSettings(call: SettingsCall, outbox: Outbox | null): Promise<AlarmSettings> {
  const { sandbox } = await call.db.workspace.findUniqueOrThrow({
    where: { id: call.workspaceId },
    select: { sandbox: true },
  })
  return { object: 'alarm_settings', ...(await readSettings(call)), sendsEmail: outbox !== null && !sandbox }
}

const getSettings =
  (outbox: Outbox | null): Handler<typeof getAlarmSettings> =>
  (_input, call) =>
    shownSettings(call, outbox)

const updateSettings =
  (outbox: Outbox | null): Handler<typeof updateAlarmSettings> =>
  async (input, call) => {
    const { db, workspaceId, audit } = call
    const before = await readSettings(call)
    const after = { ...before, ...input }
    const data = { recipients: after.recipients, mutedKinds: inOrder(after.mutedKinds) }
    await db.alarmSettings.upsert({ where: { workspaceId }, create: { workspaceId, ...data }, update: data })
    const named = { object: 'alarm_settings', id: workspaceId, name: 'Alarms' }
    audit({ ...named, ...data }, { ...named, ...before })
    return shownSettings(call, outbox)
  }

const getPreferences: Handler<typeof getAlarmPreferences> = (_input, call) => shownPreferences(call)

const updatePreferences: Handler<typeof updateAlarmPreferences> = async ({ mutedKinds }, call) => {
  const key = { workspaceId: call.workspaceId, memberId: memberIdOf(call) }
  const data = { mutedKinds: inOrder(mutedKinds) }
  await call.db.alarmPreferences.upsert({
    where: { workspaceId_memberId: key },
    create: { ...key, ...data },
    update: data,
  })
  return shownPreferences(call)
}

async function shownPreferences(call: SettingsCall & Pick<Call, 'principal'>): Promise<AlarmPreferences> {
  const { db, workspaceId, principal } = call
  const memberId = memberIdOf(call)
  const row = await db.alarmPreferences.findUnique({ where: { workspaceId_memberId: { workspaceId, memberId } } })
  const { recipients } = await readSettings(call)
  const role = principal.session?.role
  return {
    object: 'alarm_preferences',
    // The table's checks allow no other values.
    mutedKinds: (row?.mutedKinds ?? []) as AlarmKind[],
    receives: role === 'owner' || (role === 'admin' && recipients === 'admins'),
  }
}

function memberIdOf({ principal }: Pick<Call, 'principal'>): string {
  if (principal.kind !== 'member') throw new Fault('not_found', 'Only members who are signed in have these.')
  return principal.id
}

const inOrder = (kinds: readonly AlarmKind[]): AlarmKind[] => alarmKinds.filter((kind) => kinds.includes(kind))

const sendTest =
  (outbox: Outbox | null): Handler<typeof sendTestEmail> =>
  async (_input, call) => {
    const { db, workspaceId, now } = call
    const id = memberIdOf(call)
    if (outbox === null) throw new Fault('not_found', 'This installation sends no email.')
    const member = await db.member.findUnique({
      where: { workspaceId_id: { workspaceId, id } },
      select: { account: { select: { id: true, email: true } } },
    })
    if (!member?.account) throw notFoundById('member')
    await countTry(db, testMailTries(member.account.id), now)
    const { email } = member.account
    await outbox.put(db, workspaceId, { kind: 'test', content: { email } }, now)
    return { object: 'test_email', email }
  }
