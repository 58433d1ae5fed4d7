import type { getMember } from '#contract/members.ts'
import type { Handler } from '../execution/handler.ts'
import { findMember } from './rows.ts'

export const get: Handler<typeof getMember> = ({ id }, { db, workspaceId }) => findMember(db, workspaceId, id)
