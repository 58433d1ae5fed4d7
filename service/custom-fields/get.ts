import type { getCustomField } from '#contract/custom-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { findCustomField } from './rows.ts'

export const get: Handler<typeof getCustomField> = ({ id }, { db, workspaceId }) => findCustomField(db, workspaceId, id)
