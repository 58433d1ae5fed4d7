// Faults of API keys and of the workspace of a call.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

export const keyFaults = {
  missing_credentials: help(
    'The call has no API key, or the key is not sent as a bearer token.',
    'Send the header `Authorization: Bearer <key>`. Keys are created in the workspace settings. Calls of `/settings/api` take the operator’s token in place of a key.',
    'Send the header Authorization: Bearer <key>.',
  ),
  invalid_api_key: help(
    'No key has this secret. It was mistyped or cut short, or belongs to another installation.',
    'Copy the complete secret again. It is shown only once: if it is lost, rotate the key.',
    'This token is not known here.',
  ),
  api_key_revoked: help(
    'The key was revoked. A revocation is final.',
    'Create a new key in the workspace settings, and use its secret.',
    'This key was revoked.',
  ),
  api_key_expired: help(
    'The key has expired, or the secret was rotated and its overlap time has ended.',
    'Use the newest secret. If the key itself has expired, change its `expiresAt` or create a new key in the workspace settings.',
    'This key, or this secret of it, has expired.',
  ),
  api_key_suspended: help(
    'The member who owns the key, or who created it if it has no owner, is suspended in the workspace.',
    'The key works again once the member is active. Alternatively, give the key another owner in the workspace settings.',
    'The member who holds this key is suspended.',
  ),
  invalid_signature: help(
    'The `signature` of the address was changed, cut short or made for another file or method.',
    'Use the address exactly as the API returned it, including its method. Create a new one if in doubt.',
    'The signature is not one of this address.',
    {},
    `/api/v1/files/${exampleId('fileId')}/content`,
  ),
  address_expired: help(
    'The time of the signed address is over.',
    'Create a new one: `POST /files` for an upload, `POST /files/{id}/download-address` for a download.',
    'This address was valid until 2026-01-12T09:45:00.000Z.',
    {},
    `/api/v1/files/${exampleId('fileId')}/content`,
  ),
  ip_not_allowed: help(
    'The key may be used only from certain addresses, and the call came from another one, which `detail` names.',
    'Call from an address on the allowlist, or add this one to the key’s `ipAllowlist`.',
    'The key may not be used from 203.0.113.7.',
  ),
  api_key_rotation_required: help(
    'The secret is older than the key or the workspace allows.',
    'Rotate the key in the workspace settings, and use the new secret. `POST /me/rotate` does the same until the rotation is overdue.',
    'This secret is older than the rotation policy allows.',
    { hint: 'Give the key a new secret in the workspace settings.' },
  ),
  ip_allowlist_required: help(
    'The workspace accepts only keys with an allowlist of addresses, and this key has none.',
    'Give the key an `ipAllowlist` in the workspace settings.',
    'This workspace demands that its keys have an allowlist, and this one has none.',
    { hint: 'Give the key an allowlist in the workspace settings.' },
  ),
  key_expiry_required: help(
    'The workspace accepts only keys that expire, and this key never does.',
    'Give the key an `expiresAt` in the workspace settings.',
    'This workspace demands that its keys expire, and this one never does.',
    { hint: 'Give the key an expiry in the workspace settings.' },
  ),
  unbound_key_not_allowed: help(
    'The workspace accepts only keys that are bound to it, and this key is for several workspaces.',
    'Use a key that was created for this workspace only.',
    'This workspace takes only keys that are bound to it.',
    { hint: 'Use a key that was created for this workspace only.' },
  ),
  api_key_has_no_scopes: help(
    'The key is valid but cannot do anything, because it has no scopes.',
    'Give the key scopes in the workspace settings.',
    'This key may do nothing: it holds no scopes.',
  ),
  insufficient_scope: help(
    'The key lacks a scope that the call needs, and `requiredScopes` names it. In the workspace settings the role lacks the scope, and `requiredRoles` names the roles that have it.',
    'Use a key that has the scope, or add the scope to this key. `/docs/scopes` describes each scope. Owners of the workspace assign roles.',
    'This needs the scope projects:write.',
    { requiredScopes: ['projects:write'] },
  ),
  surface_not_allowed: help(
    'The key is only for HTTP or only for MCP, and was used for the other one.',
    'Use a key for this surface, or extend `surfaces` of this key in the workspace settings.',
    'This key is not for http.',
  ),
  tool_disabled: help(
    'The headers that the MCP client sends exclude the tool: `x-mcp-readonly` excludes tools that change something, `x-mcp-toolsets` those of other toolsets.',
    'Use a listed tool, or change the header that `header` names in the configuration of the client.',
    'The header `x-mcp-readonly` of this connection leaves `projects.create` out.',
    { header: 'x-mcp-readonly' },
    '/api/mcp',
  ),
  workspace_required: help(
    'The key is bound to no workspace, and the call names none.',
    'Send the id of a workspace in the header `x-workspace-id`. `GET /me` lists those that the key may act in.',
    'Name a workspace in the header x-workspace-id.',
  ),
  workspace_invalid: help(
    'The workspace id is not a UUID.',
    'Send the `id` of a workspace, not its name or slug.',
    'A workspace id is a UUID.',
  ),
  workspace_conflict: help(
    'The header `x-workspace-id` and the parameter `workspaceId` name two workspaces.',
    'Send one of the two.',
    'Header x-workspace-id and parameter workspaceId name different workspaces.',
  ),
  workspace_not_allowed: help(
    'The key may not act in the workspace that the call names, the person who is signed in is no active member of it, or there is no such workspace.',
    'Use a key of that workspace. `GET /me` lists those that this one may act in. A person asks an owner or admin of the workspace.',
    'The key is not for this workspace.',
  ),
  workspace_suspended: help(
    'The workspace is suspended: none of its keys works until it is active again.',
    'Ask the operator of this installation. Stop calling until then: waiting a few seconds does not help.',
    'This workspace is suspended.',
  ),
  host_not_allowed: help(
    'The header `Host` of an MCP call names another host than this installation’s, as when a web page makes its own name lead here (DNS rebinding), or a proxy does not pass the header on.',
    'Call the address of this installation. The operator sets it in `PUBLIC_URL`; without it, a server that listens only on this machine accepts `localhost`, `127.0.0.1` and `[::1]`.',
    'This server is not known by the name in the header Host.',
    {},
    '/api/mcp',
  ),
  origin_not_allowed: help(
    'The call came from a page in a browser, of an origin that is not on this installation’s list. A key in a page can be read by every visitor.',
    'Call from your own server, and let the page call that server. To allow pages of an origin, the operator lists it in `ALLOWED_ORIGINS`.',
    'Pages of this origin may not call.',
    {},
    '/api/mcp',
  ),
} satisfies Partial<Record<FaultCode, Help>>
