// Faults of API keys and of the workspace of a call.
import type { FaultCode } from './fault.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

export const keyFaults = {
  missing_credentials: help(
    'The request has no API key, or the key was not sent as a bearer token.',
    'Send the header `Authorization: Bearer <key>`. Keys are created in the workspace settings. Requests to `/settings/api` use the operator’s token instead of a key.',
    'Send the header Authorization: Bearer <key>.',
  ),
  invalid_api_key: help(
    'No key has this secret. It was mistyped or cut short, or belongs to another installation.',
    'Copy the complete secret again. It is shown only once: if it is lost, rotate the key.',
    'There is no API key with this secret.',
  ),
  api_key_revoked: help(
    'The key was revoked. A revocation is final.',
    'Create a new key in the workspace settings, and use its secret.',
    'This key was revoked.',
  ),
  api_key_expired: help(
    'The key has expired, or the secret was rotated and the old secret has expired.',
    'Use the newest secret. If the key itself has expired, change its `expiresAt` or create a new key in the workspace settings.',
    'This key or its secret has expired.',
  ),
  api_key_suspended: help(
    'The member who owns the key, or who created it if it has no owner, is suspended in the workspace.',
    'The key works again once the member is active. Alternatively, give the key another owner in the workspace settings.',
    'The member who owns this key is suspended.',
  ),
  invalid_signature: help(
    'The `signature` in the URL was changed, cut short or created for another file or method.',
    'Use the URL exactly as the API returned it, with the same method. Create a new one if in doubt.',
    'The signature does not belong to this URL.',
    {},
    `/api/v1/files/${exampleId('fileId')}/content`,
  ),
  address_expired: help(
    'The signed URL is no longer valid.',
    'Create a new one: `POST /files` for an upload, `POST /files/{id}/download-address` for a download.',
    'This URL expired at 2026-01-12T09:45:00.000Z.',
    {},
    `/api/v1/files/${exampleId('fileId')}/content`,
  ),
  ip_not_allowed: help(
    'The key can be used only from certain IP addresses, and the request came from another one. `detail` contains the IP address that the request came from.',
    'Send the request from an IP address on the allowlist, or add your IP address to the key’s `ipAllowlist`.',
    'The key cannot be used from 203.0.113.7.',
  ),
  api_key_rotation_required: help(
    'The secret has exceeded the maximum age that is set for the key or the workspace.',
    'Rotate the key in the workspace settings, and use the new secret. Next time, you can also use `POST /me/rotate`, as long as the rotation is not overdue.',
    'This secret is older than the rotation policy allows.',
    { hint: 'Give the key a new secret in the workspace settings.' },
  ),
  ip_allowlist_required: help(
    'The workspace accepts only keys with an IP allowlist, and this key has none.',
    'Give the key an `ipAllowlist` in the workspace settings.',
    'This workspace requires an IP allowlist, and this key has none.',
    { hint: 'Give the key an IP allowlist in the workspace settings.' },
  ),
  key_expiry_required: help(
    'The workspace accepts only keys with an expiration date, and this key never expires.',
    'Give the key an `expiresAt` in the workspace settings.',
    'This workspace requires an expiration date, and this key never expires.',
    { hint: 'Set an expiration date for the key in the workspace settings.' },
  ),
  unbound_key_not_allowed: help(
    'The workspace accepts only keys that are limited to it, and this key has access to several workspaces.',
    'Use a key that is limited to this workspace.',
    'This workspace accepts only keys that are limited to it.',
    { hint: 'Use a key that is limited to this workspace.' },
  ),
  api_key_has_no_scopes: help(
    'The key is valid but cannot do anything, because it has no scopes.',
    'Give the key scopes in the workspace settings.',
    'This key has no scopes.',
  ),
  insufficient_scope: help(
    'The key does not have a scope that the request requires. `requiredScopes` lists the required scopes. If you sent the request from the workspace settings, it is your role that does not have the scope: `requiredRoles` lists the roles that do.',
    'Use a key that has the scope, or add the scope to this key. `/docs/scopes` describes each scope. Owners and admins of the workspace assign roles.',
    'The request requires the scope projects:write.',
    { requiredScopes: ['projects:write'] },
  ),
  surface_not_allowed: help(
    'The key allows only one surface, HTTP or MCP, and was used over the other one.',
    'Use another key, or add the missing surface (HTTP or MCP) to this key in the workspace settings.',
    'This key cannot be used over HTTP.',
  ),
  tool_disabled: help(
    'A header of the MCP client excludes the tool. `x-mcp-readonly` excludes tools that make changes. `x-mcp-toolsets` excludes tools outside the listed toolsets.',
    'Use a tool that the client lists, or change that header in the configuration of the client. `header` contains its name.',
    'The header `x-mcp-readonly` excludes the tool `projects.create`.',
    { header: 'x-mcp-readonly' },
    '/api/mcp',
  ),
  workspace_required: help(
    'The key has access to several workspaces, and the request does not specify one.',
    'Send the ID of a workspace in the header `x-workspace-id`. `GET /me` lists the workspaces that the key has access to.',
    'Specify a workspace in the header x-workspace-id.',
  ),
  workspace_invalid: help(
    'The value that was sent as workspace ID is not a UUID.',
    'Send the `id` of a workspace, not its name or slug.',
    'A workspace ID is a UUID.',
  ),
  workspace_conflict: help(
    'The header `x-workspace-id` and the parameter `workspaceId` specify different workspaces.',
    'Send only one of them.',
    'The header x-workspace-id and the parameter workspaceId specify different workspaces.',
  ),
  workspace_not_allowed: help(
    'The key has no access to this workspace, you are not an active member of it, or it does not exist.',
    'Use a key of that workspace. `GET /me` lists the workspaces that the key has access to. If you are signed in, ask an owner or admin of the workspace for access.',
    'The key has no access to this workspace.',
  ),
  workspace_suspended: help(
    'The workspace is suspended: none of its keys works until it is active again.',
    'Ask the operator of this installation. Do not retry until the workspace is active again.',
    'This workspace is suspended.',
  ),
  host_not_allowed: help(
    'The `Host` header of the MCP request does not match this installation. Common reasons are a proxy that does not forward the header, and a DNS rebinding attack.',
    'Send the request to the URL of this installation, which the operator sets in `PUBLIC_URL`. If `PUBLIC_URL` is not set and the server accepts only local connections, use `localhost`, `127.0.0.1` or `[::1]`.',
    'The host name in the header Host is not allowed.',
    {},
    '/api/mcp',
  ),
  origin_not_allowed: help(
    'The request came from a web page whose origin is not allowed on this installation. A key in a web page can be read by every visitor.',
    'Send requests from your own server, and let the web page use that server. To allow web pages from an origin, ask the operator to add the origin to `ALLOWED_ORIGINS`.',
    'Requests from web pages of this origin are not allowed.',
    {},
    '/api/mcp',
  ),
} satisfies Partial<Record<FaultCode, Help>>
