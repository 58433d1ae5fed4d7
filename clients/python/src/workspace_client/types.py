# Written by `npm run clients` from the contract. Change the contract, and not this file.
"""The types of what calls take and give. They are checked by mypy and pyright, and are plain dictionaries at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

ErrorCode = Literal[
    "invalid_http",
    "invalid_json",
    "unknown_parameter",
    "invalid_parameter",
    "invalid_header",
    "invalid_cursor",
    "cursor_mismatch",
    "workspace_required",
    "workspace_invalid",
    "workspace_conflict",
    "invalid_idempotency_key",
    "missing_credentials",
    "invalid_api_key",
    "api_key_revoked",
    "api_key_expired",
    "not_signed_in",
    "invalid_signature",
    "address_expired",
    "ip_not_allowed",
    "api_key_rotation_required",
    "ip_allowlist_required",
    "key_expiry_required",
    "api_key_suspended",
    "unbound_key_not_allowed",
    "api_key_has_no_scopes",
    "insufficient_scope",
    "surface_not_allowed",
    "workspace_not_allowed",
    "host_not_allowed",
    "tool_disabled",
    "origin_not_allowed",
    "wrong_password",
    "confirmation_required",
    "password_sign_in_off",
    "wrong_second_factor",
    "challenge_expired",
    "sign_in_expired",
    "provider_refused",
    "provider_answer_invalid",
    "email_not_verified",
    "email_domain_not_allowed",
    "no_membership",
    "https_required",
    "second_factor_required",
    "workspace_suspended",
    "not_found",
    "route_not_found",
    "method_not_allowed",
    "not_acceptable",
    "request_timeout",
    "duplicate",
    "invalid_transition",
    "last_second_factor",
    "project_archived",
    "sandbox_only",
    "not_deleted",
    "idempotency_in_progress",
    "ambiguous_match",
    "legal_hold",
    "file_not_available",
    "limit_reached",
    "quota_reached",
    "cursor_expired",
    "cursor_outdated",
    "feed_rewound",
    "purged",
    "version_mismatch",
    "precondition_failed",
    "body_too_large",
    "too_many_items",
    "unsupported_media_type",
    "range_not_satisfiable",
    "expectation_failed",
    "validation_failed",
    "unknown_field",
    "content_mismatch",
    "reference_not_found",
    "idempotency_key_reused",
    "batch_failed",
    "depends_on_failed",
    "rate_limited",
    "headers_too_large",
    "request_cancelled",
    "internal_error",
    "upstream_error",
    "provider_unavailable",
    "storage_full",
    "query_too_costly",
    "unavailable",
    "timeout",
]

class AnyImportCreatedBy(TypedDict):
    """Who made it there. `createdBy` then has the type `imported` and this name, even if a member has the same address. Null: the importing key or person made it."""
    name: str
    """The display name."""
    email: NotRequired[Union[str, None]]
    """The email address."""

class ApiKeyRotationPolicy(TypedDict):
    maxAgeDays: int
    """The age from which a secret is rejected."""

class ApiKeyRateLimit(TypedDict):
    perMinute: int
    """In the long run."""
    burst: int
    """At once."""

ApiKeyPolicyViolations = TypedDict("ApiKeyPolicyViolations", {"workspaceId": "str", "rule": "Literal[\"allowUnboundKeys\", \"requireIpAllowlist\", \"requireExpiry\", \"maxKeyAgeDays\"]", "code": "Literal[\"unbound_key_not_allowed\", \"ip_allowlist_required\", \"key_expiry_required\", \"api_key_rotation_required\"]", "from": "str"})

class ApiKeyWithSecretRotationPolicy(TypedDict):
    maxAgeDays: int
    """The age from which a secret is rejected."""

class ApiKeyWithSecretRateLimit(TypedDict):
    perMinute: int
    """In the long run."""
    burst: int
    """At once."""

ApiKeyWithSecretPolicyViolations = TypedDict("ApiKeyWithSecretPolicyViolations", {"workspaceId": "str", "rule": "Literal[\"allowUnboundKeys\", \"requireIpAllowlist\", \"requireExpiry\", \"maxKeyAgeDays\"]", "code": "Literal[\"unbound_key_not_allowed\", \"ip_allowlist_required\", \"key_expiry_required\", \"api_key_rotation_required\"]", "from": "str"})

class AttemptRequest(TypedDict):
    url: str
    """The address that it was sent to."""
    headers: Dict[str, str]
    """Headers, by their names."""
    body: str
    """The body, as text."""

class AttemptResponse(TypedDict):
    status: int
    """The status."""
    headers: Dict[str, str]
    """Headers, by their names."""
    body: str
    """The first 4 KiB."""
    truncated: bool
    """Whether the body was truncated."""

class AuditEntryTarget(TypedDict):
    type: str
    """The kind."""
    id: str
    """Its id."""
    name: Union[str, None]
    """The display name."""

AuditEntryChanges = TypedDict("AuditEntryChanges", {"from": "Any", "to": "Any"})

class ChangedWebhookFilter(TypedDict):
    kinds: NotRequired[List[CrmKind]]
    """Only events of CRM entities of these kinds."""
    projectIds: NotRequired[List[str]]
    """Only events of these projects and of objects that belong to them."""
    changedFields: NotRequired[List[str]]
    """Delivers `*.updated` events only if any of these fields changed. Other event types are not affected."""
    values: NotRequired[WebhookFilterValues]
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""

class ChangedWebhookGrants(TypedDict):
    scopes: List[str]
    """Read scopes. Events that none of them covers are not delivered."""
    grantedBy: Actor
    grantedAt: str
    """RFC 3339, UTC, milliseconds."""

class ChangedWebhookSecrets(TypedDict):
    id: str
    """Its id."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    expiresAt: Union[str, None]

class ChangedWebhookCircuit(TypedDict):
    """The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response."""
    state: Literal["closed", "open", "half_open"]
    """`closed`: deliveries are sent. `open`: they wait without losing attempts. `half_open`: one delivery is sent as a probe."""
    openUntil: Union[str, None]

class ChangedWebhookHealth(TypedDict):
    """The state of its endpoint, the next attempt, and what has failed."""
    state: Literal["healthy", "failing"]
    """`failing`: the last attempt failed, or the circuit is not closed. The next success makes it `healthy`."""
    failingSince: Union[str, None]
    lastStatusCode: Union[int, None]
    """The last status that the endpoint returned."""
    lastErrorCode: Union[str, None]
    """Why it was not accepted: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`, `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`, `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`."""
    nextAttemptAt: Union[str, None]
    failedShare: Union[float, None]

class ChangedWebhookStats24h(TypedDict):
    delivered: int
    """Accepted by the endpoint."""
    failed: int
    """Dead letters."""
    pending: int
    """Still to be delivered."""
    retrying: int
    """Those of `pending` that have failed at least once."""
    p50Ms: Union[int, None]
    p95Ms: Union[int, None]

class CommentImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[CommentImportedCreatedBy, None]
    """The actor that created it."""

class CommentImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class CommentSubject(TypedDict):
    type: Literal["tasks", "projects", "crm-entities"]
    """The kind."""
    id: str
    """Its id."""

class CommentExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentCreateExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentPatchFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CommentPatchExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentPatchExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[CommentPatchExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[CommentPatchExternalIds2Remove]]
    """Removed from the list."""

class CommentPatchExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentPatchExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentUpsertFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CommentUpsertExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CompanyImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[CompanyImportedCreatedBy, None]
    """The actor that created it."""

class CompanyImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class CompanyAddress(TypedDict):
    street: Union[str, None]
    """Street and number."""
    city: Union[str, None]
    """City or place."""
    region: Union[str, None]
    """State, county or province."""
    postalCode: Union[str, None]
    """Postal code."""
    country: Union[str, None]

class CompanyExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ContactImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[ContactImportedCreatedBy, None]
    """The actor that created it."""

class ContactImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class ContactAddress(TypedDict):
    street: Union[str, None]
    """Street and number."""
    city: Union[str, None]
    """City or place."""
    region: Union[str, None]
    """State, county or province."""
    postalCode: Union[str, None]
    """Postal code."""
    country: Union[str, None]

class ContactExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntityCreateAddress(TypedDict):
    street: NotRequired[Union[str, None]]
    """Street and number."""
    city: NotRequired[Union[str, None]]
    """City or place."""
    region: NotRequired[Union[str, None]]
    """State, county or province."""
    postalCode: NotRequired[Union[str, None]]
    """Postal code."""
    country: NotRequired[Union[str, None]]

class CrmEntityCreateAmount(TypedDict):
    amount: str
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: str
    """ISO 4217."""

class CrmEntityCreateExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntityImportCreatedBy(TypedDict):
    """Who made it there. `createdBy` then has the type `imported` and this name, even if a member has the same address. Null: the importing key or person made it."""
    name: str
    """The display name."""
    email: NotRequired[Union[str, None]]
    """The email address."""

class CrmEntityPatchDomains2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityPatchEmails2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityPatchPhones2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityPatchAddress(TypedDict):
    street: NotRequired[Union[str, None]]
    """Street and number."""
    city: NotRequired[Union[str, None]]
    """City or place."""
    region: NotRequired[Union[str, None]]
    """State, county or province."""
    postalCode: NotRequired[Union[str, None]]
    """Postal code."""
    country: NotRequired[Union[str, None]]

class CrmEntityPatchAmount(TypedDict):
    amount: NotRequired[str]
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: NotRequired[str]
    """ISO 4217."""

class CrmEntityPatchContactIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityPatchLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityPatchFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityPatchExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntityPatchExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[CrmEntityPatchExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[CrmEntityPatchExternalIds2Remove]]
    """Removed from the list."""

class CrmEntityPatchExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntityPatchExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntityUpsertDomains2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityUpsertEmails2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityUpsertPhones2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityUpsertAddress(TypedDict):
    street: NotRequired[Union[str, None]]
    """Street and number."""
    city: NotRequired[Union[str, None]]
    """City or place."""
    region: NotRequired[Union[str, None]]
    """State, county or province."""
    postalCode: NotRequired[Union[str, None]]
    """Postal code."""
    country: NotRequired[Union[str, None]]

class CrmEntityUpsertAmount(TypedDict):
    amount: str
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: str
    """ISO 4217."""

class CrmEntityUpsertContactIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityUpsertLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityUpsertFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntityUpsertExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DealImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[DealImportedCreatedBy, None]
    """The actor that created it."""

class DealImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class DealAmount(TypedDict):
    amount: str
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: str
    """ISO 4217."""

class DealExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[DocumentImportedCreatedBy, None]
    """The actor that created it."""

class DocumentImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class DocumentExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentBriefImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[DocumentBriefImportedCreatedBy, None]
    """The actor that created it."""

class DocumentBriefImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class DocumentBriefExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentCreateExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentPatchTags2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentPatchFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentPatchExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentPatchExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[DocumentPatchExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[DocumentPatchExternalIds2Remove]]
    """Removed from the list."""

class DocumentPatchExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentPatchExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentUpsertTags2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentUpsertFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentUpsertExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class EventRecordResource(TypedDict):
    type: str
    """The kind."""
    id: str
    """Its id."""
    kind: Union[str, None]
    """Of a CRM entity: company, contact or deal."""
    version: Union[int, None]

EventRecordChanges = TypedDict("EventRecordChanges", {"from": "Any", "to": "Any"})

class EventRecordRelated(TypedDict):
    """What the object belongs to, with the names at the time of the event."""
    task: NotRequired[EventRecordRelatedTask]
    """The task that a comment is on."""
    project: NotRequired[EventRecordRelatedProject]
    """The project that the object belongs to, or that a comment is on."""
    crmEntity: NotRequired[EventRecordRelatedCrmEntity]
    """The company, contact or deal that a comment is on."""

class EventRecordRelatedTask(TypedDict):
    """The task that a comment is on."""
    id: str
    """Its id."""
    identifier: str
    """Key of the project and number, as in WEB-42."""
    title: str
    """The display name."""

class EventRecordRelatedProject(TypedDict):
    """The project that the object belongs to, or that a comment is on."""
    id: str
    """Its id."""
    key: str
    """Short name, unique in the workspace."""
    name: str
    """The display name."""

class EventRecordRelatedCrmEntity(TypedDict):
    """The company, contact or deal that a comment is on."""
    id: str
    """Its id."""
    kind: str
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""

class InspectedRequestSignatures(TypedDict):
    """What the inspector found when it verified the request as an endpoint does. One valid signature is enough."""
    standard: InspectedRequestSignaturesStandard
    """`webhook-signature`, as Standard Webhooks has it."""
    own: InspectedRequestSignaturesOwn
    """The signature in the header of this installation, `x-<brand>-signature`."""
    ageSeconds: Union[int, None]

class InspectedRequestSignaturesStandard(TypedDict):
    """`webhook-signature`, as Standard Webhooks has it."""
    isValid: bool
    """Whether the verification of the clients accepts it."""
    problem: Union[str, None]

class InspectedRequestSignaturesOwn(TypedDict):
    """The signature in the header of this installation, `x-<brand>-signature`."""
    isValid: bool
    """Whether the verification of the clients accepts it."""
    problem: Union[str, None]

class InspectedRequestWithBodySignatures(TypedDict):
    """What the inspector found when it verified the request as an endpoint does. One valid signature is enough."""
    standard: InspectedRequestWithBodySignaturesStandard
    """`webhook-signature`, as Standard Webhooks has it."""
    own: InspectedRequestWithBodySignaturesOwn
    """The signature in the header of this installation, `x-<brand>-signature`."""
    ageSeconds: Union[int, None]

class InspectedRequestWithBodySignaturesStandard(TypedDict):
    """`webhook-signature`, as Standard Webhooks has it."""
    isValid: bool
    """Whether the verification of the clients accepts it."""
    problem: Union[str, None]

class InspectedRequestWithBodySignaturesOwn(TypedDict):
    """The signature in the header of this installation, `x-<brand>-signature`."""
    isValid: bool
    """Whether the verification of the clients accepts it."""
    problem: Union[str, None]

class JobFailure(TypedDict):
    code: str
    """The error code, as in a failed request."""
    detail: str
    """What happened."""

class JobResult(TypedDict):
    rows: int
    """The lines."""
    bytes: int
    """The size of the download."""

class JobRefusals(TypedDict):
    rows: int
    """The lines."""
    bytes: int
    """The size of the download."""

class MeApiKey(TypedDict):
    id: str
    """Its id."""
    name: str
    """The display name."""
    prefix: str
    """The first characters of the secret."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    owner: Union[MeApiKeyOwner, None]
    """The responsible member."""
    homeWorkspaceId: str
    """The workspace in which the key was created and is managed."""
    surfaces: List[Literal["http", "mcp"]]
    """The surfaces that the key may use: HTTP, MCP or both."""
    expiresAt: Union[str, None]
    rotateBy: Union[str, None]

class MeApiKeyOwner(TypedDict):
    id: str
    """Its id."""
    name: str
    """The display name."""
    email: str
    """The email address."""
    role: str
    """What the member may do in the application."""

class MeWorkspaces(TypedDict):
    id: str
    """Its id."""
    name: str
    """The display name."""
    slug: str
    """Its name in addresses."""
    timeZone: str
    """IANA time zone."""
    defaultCurrency: str
    """ISO 4217."""
    suspended: bool
    """No requests are accepted in it at present."""
    sandbox: bool
    """Whether it is a sandbox: filled with sample data, which can be put back, and whose keys begin with `wsk_test_`."""

class MeWorkspaceSelection(TypedDict):
    required: bool
    """Whether each request must name one of the workspaces."""
    defaultWorkspaceId: Union[str, None]
    """The workspace of a request that names none."""
    header: Literal["x-workspace-id"]
    """The header that names the workspace."""
    parameter: Literal["workspaceId"]
    """The query parameter that names the workspace."""

class MeRateLimit(TypedDict):
    limit: int
    """Requests a minute that the key may send."""
    burst: int
    """The burst of requests that it may send."""
    remaining: int
    """Of those, how many are left."""
    resetSeconds: int
    """Seconds until the limit is fully available again."""

class MergedCompanyImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[MergedCompanyImportedCreatedBy, None]
    """The actor that created it."""

class MergedCompanyImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class MergedCompanyAddress(TypedDict):
    street: Union[str, None]
    """Street and number."""
    city: Union[str, None]
    """City or place."""
    region: Union[str, None]
    """State, county or province."""
    postalCode: Union[str, None]
    """Postal code."""
    country: Union[str, None]

class MergedCompanyExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class MergedContactImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[MergedContactImportedCreatedBy, None]
    """The actor that created it."""

class MergedContactImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class MergedContactAddress(TypedDict):
    street: Union[str, None]
    """Street and number."""
    city: Union[str, None]
    """City or place."""
    region: Union[str, None]
    """State, county or province."""
    postalCode: Union[str, None]
    """Postal code."""
    country: Union[str, None]

class MergedContactExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class MergedDealImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[MergedDealImportedCreatedBy, None]
    """The actor that created it."""

class MergedDealImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class MergedDealAmount(TypedDict):
    amount: str
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: str
    """ISO 4217."""

class MergedDealExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProblemErrors(TypedDict):
    pointer: NotRequired[str]
    """The position in the body, as a JSON Pointer (RFC 6901)."""
    parameter: NotRequired[str]
    """The name of the parameter."""
    header: NotRequired[str]
    """The name of the header."""
    code: Literal["required", "too_short", "too_long", "too_small", "too_large", "wrong_type", "wrong_format", "not_in_list", "not_unique", "unknown", "read_only", "not_found"]
    """Why it was rejected."""
    detail: str
    """The reason as a sentence."""
    allowed: NotRequired[Any]
    """The allowed values, as a list."""

class ProjectImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[ProjectImportedCreatedBy, None]
    """The actor that created it."""

class ProjectImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class ProjectExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectCreateExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectImportCreatedBy(TypedDict):
    """Who made it there. `createdBy` then has the type `imported` and this name, even if a member has the same address. Null: the importing key or person made it."""
    name: str
    """The display name."""
    email: NotRequired[Union[str, None]]
    """The email address."""

class ProjectPatchMemberIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectPatchLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectPatchExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectPatchExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[ProjectPatchExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[ProjectPatchExternalIds2Remove]]
    """Removed from the list."""

class ProjectPatchExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectPatchExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectUpsertMemberIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectUpsertLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectUpsertExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ReplayJobFilter(TypedDict):
    webhookId: NotRequired[str]
    """The webhook that it is sent to."""
    eventTypes: NotRequired[List[str]]
    """Event types, or all of a segment (`projects.*`)."""
    status: NotRequired[List[DeliveryStatus]]
    """Default: the dead-lettered ones; with `ids`, any."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    ids: NotRequired[List[str]]
    """The ids of deliveries. Each must exist, be resendable and match the rest of the filter."""

class ReplayJobLeftOut(TypedDict):
    """Deliveries that match the filter but are not resent, counted by reason. They are in no total."""
    paused: int
    """Their webhook is paused: enable it first."""
    disabled: int
    """Their webhook is disabled: enable it first."""
    deleted: int
    """Their webhook is deleted."""
    ungranted: int
    """Their webhook is no longer granted this event type."""

class TaskImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[TaskImportedCreatedBy, None]
    """The actor that created it."""

class TaskImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class TaskExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TaskCreateExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TaskImportCreatedBy(TypedDict):
    """Who made it there. `createdBy` then has the type `imported` and this name, even if a member has the same address. Null: the importing key or person made it."""
    name: str
    """The display name."""
    email: NotRequired[Union[str, None]]
    """The email address."""

class TaskPatchAssigneeIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskPatchBlockedByIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskPatchCrmEntityIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskPatchFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskPatchLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskPatchExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TaskPatchExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[TaskPatchExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[TaskPatchExternalIds2Remove]]
    """Removed from the list."""

class TaskPatchExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TaskPatchExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TaskUpsertAssigneeIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskUpsertBlockedByIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskUpsertCrmEntityIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskUpsertFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskUpsertLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TaskUpsertExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class WebhookFilter(TypedDict):
    kinds: NotRequired[List[CrmKind]]
    """Only events of CRM entities of these kinds."""
    projectIds: NotRequired[List[str]]
    """Only events of these projects and of objects that belong to them."""
    changedFields: NotRequired[List[str]]
    """Delivers `*.updated` events only if any of these fields changed. Other event types are not affected."""
    values: NotRequired[WebhookFilterValues]
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""

class WebhookGrants(TypedDict):
    scopes: List[str]
    """Read scopes. Events that none of them covers are not delivered."""
    grantedBy: Actor
    grantedAt: str
    """RFC 3339, UTC, milliseconds."""

class WebhookSecrets(TypedDict):
    id: str
    """Its id."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    expiresAt: Union[str, None]

class WebhookCircuit(TypedDict):
    """The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response."""
    state: Literal["closed", "open", "half_open"]
    """`closed`: deliveries are sent. `open`: they wait without losing attempts. `half_open`: one delivery is sent as a probe."""
    openUntil: Union[str, None]

class WebhookHealth(TypedDict):
    """The state of its endpoint, the next attempt, and what has failed."""
    state: Literal["healthy", "failing"]
    """`failing`: the last attempt failed, or the circuit is not closed. The next success makes it `healthy`."""
    failingSince: Union[str, None]
    lastStatusCode: Union[int, None]
    """The last status that the endpoint returned."""
    lastErrorCode: Union[str, None]
    """Why it was not accepted: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`, `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`, `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`."""
    nextAttemptAt: Union[str, None]
    failedShare: Union[float, None]

class WebhookStats24h(TypedDict):
    delivered: int
    """Accepted by the endpoint."""
    failed: int
    """Dead letters."""
    pending: int
    """Still to be delivered."""
    retrying: int
    """Those of `pending` that have failed at least once."""
    p50Ms: Union[int, None]
    p95Ms: Union[int, None]

WebhookFilterValuesStatus = TypedDict("WebhookFilterValuesStatus", {"is": "NotRequired[List[Literal[\"backlog\", \"todo\", \"in_progress\", \"blocked\", \"done\", \"cancelled\", \"planned\", \"active\", \"paused\", \"completed\", \"draft\", \"published\", \"archived\"]]]", "from": "NotRequired[List[Literal[\"backlog\", \"todo\", \"in_progress\", \"blocked\", \"done\", \"cancelled\", \"planned\", \"active\", \"paused\", \"completed\", \"draft\", \"published\", \"archived\"]]]", "to": "NotRequired[List[Literal[\"backlog\", \"todo\", \"in_progress\", \"blocked\", \"done\", \"cancelled\", \"planned\", \"active\", \"paused\", \"completed\", \"draft\", \"published\", \"archived\"]]]"})

WebhookFilterValuesStage = TypedDict("WebhookFilterValuesStage", {"is": "NotRequired[List[DealStage]]", "from": "NotRequired[List[DealStage]]", "to": "NotRequired[List[DealStage]]"})

WebhookFilterValuesHealth = TypedDict("WebhookFilterValuesHealth", {"is": "NotRequired[List[Union[Literal[\"on_track\", \"at_risk\", \"off_track\"], None]]]", "from": "NotRequired[List[Union[Literal[\"on_track\", \"at_risk\", \"off_track\"], None]]]", "to": "NotRequired[List[Union[Literal[\"on_track\", \"at_risk\", \"off_track\"], None]]]"})

WebhookFilterValuesPriority = TypedDict("WebhookFilterValuesPriority", {"is": "NotRequired[List[Literal[\"none\", \"low\", \"medium\", \"high\", \"urgent\"]]]", "from": "NotRequired[List[Literal[\"none\", \"low\", \"medium\", \"high\", \"urgent\"]]]", "to": "NotRequired[List[Literal[\"none\", \"low\", \"medium\", \"high\", \"urgent\"]]]"})

WebhookFilterValuesProjectId = TypedDict("WebhookFilterValuesProjectId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesOwnerId = TypedDict("WebhookFilterValuesOwnerId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesCompanyId = TypedDict("WebhookFilterValuesCompanyId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesParentCompanyId = TypedDict("WebhookFilterValuesParentCompanyId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesCrmEntityId = TypedDict("WebhookFilterValuesCrmEntityId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesParentTaskId = TypedDict("WebhookFilterValuesParentTaskId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

class WebhookFilterValuesAssigneeIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesMemberIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesContactIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesCrmEntityIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesBlockedByIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesLabels(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesTags(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesAmount(TypedDict):
    """After the event it is in this currency, and above and below these bounds."""
    currency: str
    """ISO 4217."""
    above: NotRequired[str]
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    below: NotRequired[str]
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""

WebhookFilterValuesInputStatus = TypedDict("WebhookFilterValuesInputStatus", {"is": "NotRequired[List[Literal[\"backlog\", \"todo\", \"in_progress\", \"blocked\", \"done\", \"cancelled\", \"planned\", \"active\", \"paused\", \"completed\", \"draft\", \"published\", \"archived\"]]]", "from": "NotRequired[List[Literal[\"backlog\", \"todo\", \"in_progress\", \"blocked\", \"done\", \"cancelled\", \"planned\", \"active\", \"paused\", \"completed\", \"draft\", \"published\", \"archived\"]]]", "to": "NotRequired[List[Literal[\"backlog\", \"todo\", \"in_progress\", \"blocked\", \"done\", \"cancelled\", \"planned\", \"active\", \"paused\", \"completed\", \"draft\", \"published\", \"archived\"]]]"})

WebhookFilterValuesInputStage = TypedDict("WebhookFilterValuesInputStage", {"is": "NotRequired[List[DealStage]]", "from": "NotRequired[List[DealStage]]", "to": "NotRequired[List[DealStage]]"})

WebhookFilterValuesInputHealth = TypedDict("WebhookFilterValuesInputHealth", {"is": "NotRequired[List[Union[Literal[\"on_track\", \"at_risk\", \"off_track\"], None]]]", "from": "NotRequired[List[Union[Literal[\"on_track\", \"at_risk\", \"off_track\"], None]]]", "to": "NotRequired[List[Union[Literal[\"on_track\", \"at_risk\", \"off_track\"], None]]]"})

WebhookFilterValuesInputPriority = TypedDict("WebhookFilterValuesInputPriority", {"is": "NotRequired[List[Literal[\"none\", \"low\", \"medium\", \"high\", \"urgent\"]]]", "from": "NotRequired[List[Literal[\"none\", \"low\", \"medium\", \"high\", \"urgent\"]]]", "to": "NotRequired[List[Literal[\"none\", \"low\", \"medium\", \"high\", \"urgent\"]]]"})

WebhookFilterValuesInputProjectId = TypedDict("WebhookFilterValuesInputProjectId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesInputOwnerId = TypedDict("WebhookFilterValuesInputOwnerId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesInputCompanyId = TypedDict("WebhookFilterValuesInputCompanyId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesInputParentCompanyId = TypedDict("WebhookFilterValuesInputParentCompanyId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesInputCrmEntityId = TypedDict("WebhookFilterValuesInputCrmEntityId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

WebhookFilterValuesInputParentTaskId = TypedDict("WebhookFilterValuesInputParentTaskId", {"is": "NotRequired[List[Union[str, None]]]", "from": "NotRequired[List[Union[str, None]]]", "to": "NotRequired[List[Union[str, None]]]"})

class WebhookFilterValuesInputAssigneeIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputMemberIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputContactIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputCrmEntityIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputBlockedByIds(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputLabels(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputTags(TypedDict):
    contains: NotRequired[List[Union[str, None]]]
    """After the event it contains any of these; null: it is empty."""
    added: NotRequired[List[str]]
    """An update added any of these."""
    removed: NotRequired[List[str]]
    """An update removed any of these."""

class WebhookFilterValuesInputAmount(TypedDict):
    """After the event it is in this currency, and above and below these bounds."""
    currency: str
    """ISO 4217."""
    above: NotRequired[str]
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    below: NotRequired[str]
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""

class WebhookStatsTotal(TypedDict):
    delivered: int
    """Accepted by the endpoint."""
    failed: int
    """Dead letters."""
    pending: int
    """Still to be delivered."""
    retrying: int
    """Those of `pending` that have failed at least once."""
    p50Ms: Union[int, None]
    p95Ms: Union[int, None]

WebhookStatsHours = TypedDict("WebhookStatsHours", {"from": "str", "delivered": "int", "failed": "int", "pending": "int", "retrying": "int", "p50Ms": "Union[int, None]", "p95Ms": "Union[int, None]"})

class WebhookWithSecretFilter(TypedDict):
    kinds: NotRequired[List[CrmKind]]
    """Only events of CRM entities of these kinds."""
    projectIds: NotRequired[List[str]]
    """Only events of these projects and of objects that belong to them."""
    changedFields: NotRequired[List[str]]
    """Delivers `*.updated` events only if any of these fields changed. Other event types are not affected."""
    values: NotRequired[WebhookFilterValues]
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""

class WebhookWithSecretGrants(TypedDict):
    scopes: List[str]
    """Read scopes. Events that none of them covers are not delivered."""
    grantedBy: Actor
    grantedAt: str
    """RFC 3339, UTC, milliseconds."""

class WebhookWithSecretSecrets(TypedDict):
    id: str
    """Its id."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    expiresAt: Union[str, None]

class WebhookWithSecretCircuit(TypedDict):
    """The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response."""
    state: Literal["closed", "open", "half_open"]
    """`closed`: deliveries are sent. `open`: they wait without losing attempts. `half_open`: one delivery is sent as a probe."""
    openUntil: Union[str, None]

class WebhookWithSecretHealth(TypedDict):
    """The state of its endpoint, the next attempt, and what has failed."""
    state: Literal["healthy", "failing"]
    """`failing`: the last attempt failed, or the circuit is not closed. The next success makes it `healthy`."""
    failingSince: Union[str, None]
    lastStatusCode: Union[int, None]
    """The last status that the endpoint returned."""
    lastErrorCode: Union[str, None]
    """Why it was not accepted: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`, `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`, `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`."""
    nextAttemptAt: Union[str, None]
    failedShare: Union[float, None]

class WebhookWithSecretStats24h(TypedDict):
    delivered: int
    """Accepted by the endpoint."""
    failed: int
    """Dead letters."""
    pending: int
    """Still to be delivered."""
    retrying: int
    """Those of `pending` that have failed at least once."""
    p50Ms: Union[int, None]
    p95Ms: Union[int, None]

class WorkspaceApiPolicy(TypedDict):
    maxKeyAgeDays: Union[int, None]
    """The age from which a secret is rejected; null means no limit."""
    requireIpAllowlist: bool
    """Whether keys must have an allowlist."""
    requireExpiry: bool
    """Whether keys must expire."""
    allowUnboundKeys: bool
    """Whether a key may act in other workspaces as well."""

class WorkspaceApiPolicyFrom(TypedDict):
    allowUnboundKeys: Union[str, None]
    """Whether a key may act in other workspaces as well."""
    requireIpAllowlist: Union[str, None]
    """Whether keys must have an allowlist."""
    requireExpiry: Union[str, None]
    """Whether keys must expire."""
    maxKeyAgeDays: Union[WorkspaceApiPolicyFromMaxKeyAgeDays, None]
    """The age from which a secret is rejected; null means no limit."""

WorkspaceApiPolicyFromMaxKeyAgeDays = TypedDict("WorkspaceApiPolicyFromMaxKeyAgeDays", {"setAt": "str", "from": "str", "before": "Union[int, None]"})

class WorkspaceRateLimit(TypedDict):
    perMinute: int
    """In the long run."""
    burst: int
    """At once."""

class WorkspaceQuotas(TypedDict):
    """How much the workspace may hold: its quotas, which the operator sets."""
    objects: int
    """Projects, tasks, CRM entities, documents, files and comments. Deleted ones count for 30 days."""
    documentBytes: int
    """Bytes of the content of all documents, in UTF-8. Deleted ones count until they are purged."""
    fileBytes: int
    """Bytes of all files, from the creation of the file on. Deleted ones count until they are purged."""
    eventsPerDay: int
    """Events since midnight, UTC. When they are used up, API keys cannot change anything until the next midnight."""
    apiKeys: int
    """API keys that are neither revoked nor expired."""
    webhooks: int
    """Webhooks, paused and disabled ones included."""
    members: int
    """Members, invited and suspended ones included."""
    invitations: int
    """Invitations that are open."""
    customFields: int
    """Custom fields of all targets that are not archived."""
    sandboxes: int
    """Sandboxes that were made from this workspace."""

class WorkspaceLimits(TypedDict):
    keyRequestsPerMinute: int
    """Requests of one key, in the long run."""
    keyBurst: int
    """Requests of one key at once."""
    workspaceRequestsPerMinute: int
    """Requests of all keys together, in the long run."""
    workspaceBurst: int
    """Requests of all keys together at once."""
    webhooks: int
    """Webhooks."""
    customFieldsPerTarget: int
    """Custom fields of one kind of object."""
    pageItems: int
    """Items of a page."""
    batchItems: int
    """Items of a batch."""
    bodyBytes: int
    """Bytes of a body."""
    bodyBytesPerCall: int
    """Bytes of a body that count as one request."""
    documentBodyBytes: int
    """Bytes of a body that contains a document."""
    mcpBodyBytes: int
    """Bytes of an MCP body."""
    mcpBatchCalls: int
    """Messages in an MCP batch."""

class WorkspaceWithUsageApiPolicy(TypedDict):
    maxKeyAgeDays: Union[int, None]
    """The age from which a secret is rejected; null means no limit."""
    requireIpAllowlist: bool
    """Whether keys must have an allowlist."""
    requireExpiry: bool
    """Whether keys must expire."""
    allowUnboundKeys: bool
    """Whether a key may act in other workspaces as well."""

class WorkspaceWithUsageApiPolicyFrom(TypedDict):
    allowUnboundKeys: Union[str, None]
    """Whether a key may act in other workspaces as well."""
    requireIpAllowlist: Union[str, None]
    """Whether keys must have an allowlist."""
    requireExpiry: Union[str, None]
    """Whether keys must expire."""
    maxKeyAgeDays: Union[WorkspaceWithUsageApiPolicyFromMaxKeyAgeDays, None]
    """The age from which a secret is rejected; null means no limit."""

WorkspaceWithUsageApiPolicyFromMaxKeyAgeDays = TypedDict("WorkspaceWithUsageApiPolicyFromMaxKeyAgeDays", {"setAt": "str", "from": "str", "before": "Union[int, None]"})

class WorkspaceWithUsageRateLimit(TypedDict):
    perMinute: int
    """In the long run."""
    burst: int
    """At once."""

class WorkspaceWithUsageQuotas(TypedDict):
    """How much the workspace may hold: its quotas, which the operator sets."""
    objects: int
    """Projects, tasks, CRM entities, documents, files and comments. Deleted ones count for 30 days."""
    documentBytes: int
    """Bytes of the content of all documents, in UTF-8. Deleted ones count until they are purged."""
    fileBytes: int
    """Bytes of all files, from the creation of the file on. Deleted ones count until they are purged."""
    eventsPerDay: int
    """Events since midnight, UTC. When they are used up, API keys cannot change anything until the next midnight."""
    apiKeys: int
    """API keys that are neither revoked nor expired."""
    webhooks: int
    """Webhooks, paused and disabled ones included."""
    members: int
    """Members, invited and suspended ones included."""
    invitations: int
    """Invitations that are open."""
    customFields: int
    """Custom fields of all targets that are not archived."""
    sandboxes: int
    """Sandboxes that were made from this workspace."""

class WorkspaceWithUsageLimits(TypedDict):
    keyRequestsPerMinute: int
    """Requests of one key, in the long run."""
    keyBurst: int
    """Requests of one key at once."""
    workspaceRequestsPerMinute: int
    """Requests of all keys together, in the long run."""
    workspaceBurst: int
    """Requests of all keys together at once."""
    webhooks: int
    """Webhooks."""
    customFieldsPerTarget: int
    """Custom fields of one kind of object."""
    pageItems: int
    """Items of a page."""
    batchItems: int
    """Items of a batch."""
    bodyBytes: int
    """Bytes of a body."""
    bodyBytesPerCall: int
    """Bytes of a body that count as one request."""
    documentBodyBytes: int
    """Bytes of a body that contains a document."""
    mcpBodyBytes: int
    """Bytes of an MCP body."""
    mcpBatchCalls: int
    """Messages in an MCP batch."""

class WorkspaceWithUsageUsage(TypedDict):
    """How much of each quota is used."""
    objects: int
    """Projects, tasks, CRM entities, documents, files and comments. Deleted ones count for 30 days."""
    documentBytes: int
    """Bytes of the content of all documents, in UTF-8. Deleted ones count until they are purged."""
    fileBytes: int
    """Bytes of all files, from the creation of the file on. Deleted ones count until they are purged."""
    eventsPerDay: int
    """Events since midnight, UTC. When they are used up, API keys cannot change anything until the next midnight."""
    apiKeys: int
    """API keys that are neither revoked nor expired."""
    webhooks: int
    """Webhooks, paused and disabled ones included."""
    members: int
    """Members, invited and suspended ones included."""
    invitations: int
    """Invitations that are open."""
    customFields: int
    """Custom fields of all targets that are not archived."""
    sandboxes: int
    """Sandboxes that were made from this workspace."""

class CommentsBatchInputItems(TypedDict):
    action: Literal["create", "update", "upsert", "delete", "restore"]
    """What to do with the object."""
    id: NotRequired[str]
    """As in the path of the request, or `#` and the index of an earlier item."""
    externalSource: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    externalId: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    data: NotRequired[Union[CommentCreate, CommentPatch, CommentUpsert]]
    """Same as the body of the request that `action` names."""

class CommentsCountAnswer(TypedDict):
    total: int
    """The total count."""
    sums: NotRequired[List[CommentsCountAnswerSums]]
    """With `sum`: one for each currency, in alphabetical order."""
    groups: List[CommentsCountAnswerGroups]
    """The 1000 largest, largest first; empty without `groupBy`."""
    moreGroups: int
    """The number of further, smaller groups."""

class CommentsCountAnswerSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class CommentsCountAnswerGroups(TypedDict):
    value: Union[str, None]
    """The value that is counted."""
    values: NotRequired[List[Union[str, None]]]
    """By two fields: the value of each."""
    count: int
    """The number of items."""
    sums: NotRequired[List[CommentsCountAnswerGroupsSums]]
    """With `sum`: one for each currency, in alphabetical order."""

class CommentsCountAnswerGroupsSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class CommentsCreateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentsUpdateInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CommentsUpdateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentsUpdateInputExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[CommentsUpdateInputExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[CommentsUpdateInputExternalIds2Remove]]
    """Removed from the list."""

class CommentsUpdateInputExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentsUpdateInputExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CommentsUpsertInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CommentsUpsertInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntitiesBatchInputItems(TypedDict):
    action: Literal["create", "update", "upsert", "delete", "restore"]
    """What to do with the object."""
    id: NotRequired[str]
    """As in the path of the request, or `#` and the index of an earlier item."""
    externalSource: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    externalId: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    data: NotRequired[Union[CrmEntityCreate, CrmEntityPatch, CrmEntityUpsert]]
    """Same as the body of the request that `action` names."""

class CrmEntitiesCountInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class CrmEntitiesCountAnswer(TypedDict):
    total: int
    """The total count."""
    sums: NotRequired[List[CrmEntitiesCountAnswerSums]]
    """With `sum`: one for each currency, in alphabetical order."""
    groups: List[CrmEntitiesCountAnswerGroups]
    """The 1000 largest, largest first; empty without `groupBy`."""
    moreGroups: int
    """The number of further, smaller groups."""

class CrmEntitiesCountAnswerSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class CrmEntitiesCountAnswerGroups(TypedDict):
    value: Union[str, None]
    """The value that is counted."""
    values: NotRequired[List[Union[str, None]]]
    """By two fields: the value of each."""
    count: int
    """The number of items."""
    sums: NotRequired[List[CrmEntitiesCountAnswerGroupsSums]]
    """With `sum`: one for each currency, in alphabetical order."""

class CrmEntitiesCountAnswerGroupsSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class CrmEntitiesCreateInputAddress(TypedDict):
    street: NotRequired[Union[str, None]]
    """Street and number."""
    city: NotRequired[Union[str, None]]
    """City or place."""
    region: NotRequired[Union[str, None]]
    """State, county or province."""
    postalCode: NotRequired[Union[str, None]]
    """Postal code."""
    country: NotRequired[Union[str, None]]

class CrmEntitiesCreateInputAmount(TypedDict):
    amount: str
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: str
    """ISO 4217."""

class CrmEntitiesCreateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntitiesCreateCommentInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

CrmEntitiesHistoryItem = TypedDict("CrmEntitiesHistoryItem", {"field": "str", "from": "Any", "to": "Any", "changedAt": "str", "actor": "Actor", "version": "Union[int, None]", "eventId": "str", "sequence": "int"})

class CrmEntitiesListInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class CrmEntitiesUpdateInputDomains2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpdateInputEmails2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpdateInputPhones2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpdateInputAddress(TypedDict):
    street: NotRequired[Union[str, None]]
    """Street and number."""
    city: NotRequired[Union[str, None]]
    """City or place."""
    region: NotRequired[Union[str, None]]
    """State, county or province."""
    postalCode: NotRequired[Union[str, None]]
    """Postal code."""
    country: NotRequired[Union[str, None]]

class CrmEntitiesUpdateInputAmount(TypedDict):
    amount: NotRequired[str]
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: NotRequired[str]
    """ISO 4217."""

class CrmEntitiesUpdateInputContactIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpdateInputLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpdateInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpdateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntitiesUpdateInputExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[CrmEntitiesUpdateInputExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[CrmEntitiesUpdateInputExternalIds2Remove]]
    """Removed from the list."""

class CrmEntitiesUpdateInputExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntitiesUpdateInputExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntitiesUpdateCommentInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class CrmEntitiesUpsertInputDomains2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpsertInputEmails2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpsertInputPhones2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpsertInputAddress(TypedDict):
    street: NotRequired[Union[str, None]]
    """Street and number."""
    city: NotRequired[Union[str, None]]
    """City or place."""
    region: NotRequired[Union[str, None]]
    """State, county or province."""
    postalCode: NotRequired[Union[str, None]]
    """Postal code."""
    country: NotRequired[Union[str, None]]

class CrmEntitiesUpsertInputAmount(TypedDict):
    amount: str
    """A decimal as text, such as '1250.00', or '-80.50' for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD."""
    currency: str
    """ISO 4217."""

class CrmEntitiesUpsertInputContactIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpsertInputLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpsertInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class CrmEntitiesUpsertInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DeliveriesReplayManyInputFilter(TypedDict):
    webhookId: NotRequired[str]
    """The webhook that it is sent to."""
    eventTypes: NotRequired[List[str]]
    """Event types, or all of a segment (`projects.*`)."""
    status: NotRequired[List[DeliveryStatus]]
    """Default: the dead-lettered ones; with `ids`, any."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    ids: NotRequired[List[str]]
    """The ids of deliveries. Each must exist, be resendable and match the rest of the filter."""

class DeliveriesReplayManyAnswer2(TypedDict):
    object: Literal["replay_estimate"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    filter: DeliveriesReplayManyAnswer2Filter
    """The filter."""
    perMinute: Union[int, None]
    total: int
    """The total count."""
    leftOut: DeliveriesReplayManyAnswer2LeftOut
    """Deliveries that match the filter but are not resent, counted by reason. They are in no total."""

class DeliveriesReplayManyAnswer2Filter(TypedDict):
    webhookId: NotRequired[str]
    """The webhook that it is sent to."""
    eventTypes: NotRequired[List[str]]
    """Event types, or all of a segment (`projects.*`)."""
    status: NotRequired[List[DeliveryStatus]]
    """Default: the dead-lettered ones; with `ids`, any."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    ids: NotRequired[List[str]]
    """The ids of deliveries. Each must exist, be resendable and match the rest of the filter."""

class DeliveriesReplayManyAnswer2LeftOut(TypedDict):
    """Deliveries that match the filter but are not resent, counted by reason. They are in no total."""
    paused: int
    """Their webhook is paused: enable it first."""
    disabled: int
    """Their webhook is disabled: enable it first."""
    deleted: int
    """Their webhook is deleted."""
    ungranted: int
    """Their webhook is no longer granted this event type."""

class DocumentsBatchInputItems(TypedDict):
    action: Literal["create", "update", "upsert", "delete", "restore"]
    """What to do with the object."""
    id: NotRequired[str]
    """As in the path of the request, or `#` and the index of an earlier item."""
    externalSource: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    externalId: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    data: NotRequired[Union[DocumentCreate, DocumentPatch, DocumentUpsert]]
    """Same as the body of the request that `action` names."""

class DocumentsCountAnswer(TypedDict):
    total: int
    """The total count."""
    sums: NotRequired[List[DocumentsCountAnswerSums]]
    """With `sum`: one for each currency, in alphabetical order."""
    groups: List[DocumentsCountAnswerGroups]
    """The 1000 largest, largest first; empty without `groupBy`."""
    moreGroups: int
    """The number of further, smaller groups."""

class DocumentsCountAnswerSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class DocumentsCountAnswerGroups(TypedDict):
    value: Union[str, None]
    """The value that is counted."""
    values: NotRequired[List[Union[str, None]]]
    """By two fields: the value of each."""
    count: int
    """The number of items."""
    sums: NotRequired[List[DocumentsCountAnswerGroupsSums]]
    """With `sum`: one for each currency, in alphabetical order."""

class DocumentsCountAnswerGroupsSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class DocumentsCreateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentsEditInputEdits(TypedDict):
    find: str
    """Literal text, including line breaks. It must occur exactly once, unless `all` is set."""
    replace: str
    """The replacement; may be empty."""
    all: NotRequired[bool]
    """Replace every occurrence; at least one is required."""

class DocumentsEditAnswer(TypedDict):
    id: str
    """Its id."""
    object: Literal["document"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[DocumentsEditAnswerImported, None]
    title: str
    """The display name."""
    summary: Union[str, None]
    """A short description."""
    folder: Union[str, None]
    tags: List[str]
    """Tags to find it by."""
    status: DocumentStatus
    """The status."""
    crmEntityId: Union[str, None]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: Union[str, None]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[DocumentsEditAnswerExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    wordCount: int
    """Runs of letters and digits in the content."""
    checksum: str
    """SHA-256 of the content, in hex."""
    replacements: List[int]
    """How often each edit has replaced its text, in the order of the edits."""

class DocumentsEditAnswerImported(TypedDict):
    """Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others."""
    importedAt: str
    """When it was first imported with a history."""
    importedBy: Actor
    """The actor that imported it."""
    updatedAt: Union[str, None]
    createdBy: Union[DocumentsEditAnswerImportedCreatedBy, None]
    """The actor that created it."""

class DocumentsEditAnswerImportedCreatedBy(TypedDict):
    """Who made it there."""
    name: str
    """The display name."""
    email: Union[str, None]
    """The email address."""

class DocumentsEditAnswerExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

DocumentsHistoryItem = TypedDict("DocumentsHistoryItem", {"field": "str", "from": "Any", "to": "Any", "changedAt": "str", "actor": "Actor", "version": "Union[int, None]", "eventId": "str", "sequence": "int"})

class DocumentsReadContentAnswer(TypedDict):
    id: str
    """Its id."""
    object: Literal["document_content"]
    """The type of the object."""
    version: int
    """Increases by one with every change."""
    title: str
    """Title of the document."""
    text: str
    """The Markdown of these lines, with their line ends."""
    fromLine: int
    """The first returned line."""
    toLine: int
    """The last returned line; less than `fromLine` if there is none."""
    nextLine: Union[int, None]
    """The first line that `maxBytes` left out; null where it left out none."""
    totalLines: int
    """Lines of the whole document."""
    totalBytes: int
    """Bytes of the whole document in UTF-8."""
    outline: List[DocumentsReadContentAnswerOutline]
    """Headings of the requested section, otherwise of the document. If there are more than 200, those of the upper levels."""
    headingCount: int
    """The number of headings without the limit of the outline."""

class DocumentsReadContentAnswerOutline(TypedDict):
    section: str
    """Its number, such as `2.1`: the first one below the second."""
    level: int
    """The number of `#`."""
    title: str
    """The text of the heading, as it is written."""
    fromLine: int
    """The line of the heading."""
    toLine: int
    """The last line of the section, with those of the sections below it."""

class DocumentsUpdateInputTags2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentsUpdateInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentsUpdateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentsUpdateInputExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[DocumentsUpdateInputExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[DocumentsUpdateInputExternalIds2Remove]]
    """Removed from the list."""

class DocumentsUpdateInputExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentsUpdateInputExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class DocumentsUpsertInputTags2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentsUpsertInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class DocumentsUpsertInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class EventTypesListAnswer(TypedDict):
    data: List[EventTypesListAnswerData]
    """The items."""

class EventTypesListAnswerData(TypedDict):
    type: str
    """The kind."""
    summary: str
    """A short description."""
    scope: str
    """The scope that is needed to read it."""
    schema: Dict[str, Any]
    """JSON Schema (2020-12) of the whole event, `data` included."""

class EventTypesTriggerAnswer(TypedDict):
    eventId: str
    """The recorded event."""
    eventType: str
    """The event type."""

class EventsListAnswer(TypedDict):
    data: List[EventRecord]
    """The items."""
    lastSequence: int
    """All events up to this one have been checked."""
    hasMore: bool
    """Whether there are more items."""

class FilesCreateAnswer(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    name: str
    """With its ending, without folders."""
    bytes: int
    """Its size."""
    type: str
    """Media type in lower case without parameters, such as `application/pdf`."""
    detectedType: Union[str, None]
    """What its first bytes say it is; null where they say nothing, as those of plain text."""
    sha256: Union[str, None]
    """SHA-256 of its bytes, in hex; null until they have come if you gave none."""
    status: FileStatus
    """`awaiting_upload`: its bytes are not uploaded yet. `held`: they are, and wait for their release. `available`: they can be read. `quarantined`: they are locked."""
    uploadedAt: Union[str, None]
    quarantineReason: Union[str, None]
    upload: UploadAddress
    """The address for its bytes."""

JobsCreateInputMapping2 = TypedDict("JobsCreateInputMapping2", {"field": "str", "separator": "NotRequired[str]", "as": "NotRequired[Literal[\"string\", \"number\", \"boolean\"]]"})

class JobsCreateAnswer2(TypedDict):
    object: Literal["job_estimate"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    kind: Literal["export", "import", "update", "delete"]
    """What the job does."""
    request: Dict[str, Any]
    """What the job was started with, without `text`."""
    total: int
    """The objects that match. Send it as `confirmedTotal`."""

class MembersListItem2(TypedDict):
    id: str
    """Its id."""
    object: Literal["member"]
    """The type of the object."""
    version: int
    """Increases by one with every change."""
    deletedAt: str
    """RFC 3339, UTC, milliseconds."""

class ProjectsBatchInputItems(TypedDict):
    action: Literal["create", "update", "upsert", "delete", "restore"]
    """What to do with the object."""
    id: NotRequired[str]
    """As in the path of the request, or `#` and the index of an earlier item."""
    externalSource: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    externalId: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    data: NotRequired[Union[ProjectCreate, ProjectPatch, ProjectUpsert]]
    """Same as the body of the request that `action` names."""

class ProjectsCountInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class ProjectsCountAnswer(TypedDict):
    total: int
    """The total count."""
    sums: NotRequired[List[ProjectsCountAnswerSums]]
    """With `sum`: one for each currency, in alphabetical order."""
    groups: List[ProjectsCountAnswerGroups]
    """The 1000 largest, largest first; empty without `groupBy`."""
    moreGroups: int
    """The number of further, smaller groups."""

class ProjectsCountAnswerSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class ProjectsCountAnswerGroups(TypedDict):
    value: Union[str, None]
    """The value that is counted."""
    values: NotRequired[List[Union[str, None]]]
    """By two fields: the value of each."""
    count: int
    """The number of items."""
    sums: NotRequired[List[ProjectsCountAnswerGroupsSums]]
    """With `sum`: one for each currency, in alphabetical order."""

class ProjectsCountAnswerGroupsSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class ProjectsCreateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectsCreateCommentInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

ProjectsHistoryItem = TypedDict("ProjectsHistoryItem", {"field": "str", "from": "Any", "to": "Any", "changedAt": "str", "actor": "Actor", "version": "Union[int, None]", "eventId": "str", "sequence": "int"})

class ProjectsListInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class ProjectsListTasksInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class ProjectsUpdateInputMemberIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectsUpdateInputLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectsUpdateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectsUpdateInputExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[ProjectsUpdateInputExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[ProjectsUpdateInputExternalIds2Remove]]
    """Removed from the list."""

class ProjectsUpdateInputExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectsUpdateInputExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectsUpdateCommentInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ProjectsUpsertInputMemberIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectsUpsertInputLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class ProjectsUpsertInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class ResourcesReadAnswer(TypedDict):
    object: Literal["resource"]
    """The type of the object."""
    uri: str
    """`workspace://…`, as in the list."""
    name: str
    """The display name."""
    title: str
    """The display name."""
    description: str
    """A description for people."""
    mimeType: Literal["text/markdown", "application/json"]
    """The media type of the text."""
    kind: Literal["overview", "members", "labels", "custom_fields", "view", "glossary"]
    """Of a CRM entity: company, contact or deal."""
    size: int
    """Bytes of the text, as this key may read it."""
    updatedAt: Union[str, None]
    text: str
    """The text itself."""

class SearchQueryAnswer(TypedDict):
    data: List[SearchQueryAnswerData]
    """The items."""
    hasMore: bool
    """Whether there are more items."""

class SearchQueryAnswerData(TypedDict):
    type: Literal["projects", "tasks", "crm-entities", "documents"]
    """The kind."""
    id: str
    """Its id."""
    title: str
    """Name or title."""
    identifier: Union[str, None]
    """Key of the project and number, as in WEB-42."""
    kind: Union[str, None]
    """Of a CRM entity: company, contact or deal."""
    status: Union[str, None]
    """The status."""
    score: float
    """Comparable only within one response."""
    snippet: Union[str, None]
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""

class TasksBatchInputItems(TypedDict):
    action: Literal["create", "update", "upsert", "delete", "restore"]
    """What to do with the object."""
    id: NotRequired[str]
    """As in the path of the request, or `#` and the index of an earlier item."""
    externalSource: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    externalId: NotRequired[str]
    """Your own id of the object; `externalSource` and `externalId` go together."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    data: NotRequired[Union[TaskCreate, TaskPatch, TaskUpsert]]
    """Same as the body of the request that `action` names."""

class TasksCountInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class TasksCountAnswer(TypedDict):
    total: int
    """The total count."""
    sums: NotRequired[List[TasksCountAnswerSums]]
    """With `sum`: one for each currency, in alphabetical order."""
    groups: List[TasksCountAnswerGroups]
    """The 1000 largest, largest first; empty without `groupBy`."""
    moreGroups: int
    """The number of further, smaller groups."""

class TasksCountAnswerSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class TasksCountAnswerGroups(TypedDict):
    value: Union[str, None]
    """The value that is counted."""
    values: NotRequired[List[Union[str, None]]]
    """By two fields: the value of each."""
    count: int
    """The number of items."""
    sums: NotRequired[List[TasksCountAnswerGroupsSums]]
    """With `sum`: one for each currency, in alphabetical order."""

class TasksCountAnswerGroupsSums(TypedDict):
    currency: Union[str, None]
    """The currency, ISO 4217."""
    sum: str
    """A decimal as text, such as '1250.00'."""

class TasksCreateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TasksCreateCommentInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

TasksHistoryItem = TypedDict("TasksHistoryItem", {"field": "str", "from": "Any", "to": "Any", "changedAt": "str", "actor": "Actor", "version": "Union[int, None]", "eventId": "str", "sequence": "int"})

class TasksListInputCustomFields(TypedDict):
    eq: NotRequired[List[str]]
    gte: NotRequired[str]
    lte: NotRequired[str]

class TasksUpdateInputAssigneeIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpdateInputBlockedByIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpdateInputCrmEntityIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpdateInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpdateInputLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpdateInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TasksUpdateInputExternalIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[TasksUpdateInputExternalIds2Add]]
    """Added at the end of the list."""
    remove: NotRequired[List[TasksUpdateInputExternalIds2Remove]]
    """Removed from the list."""

class TasksUpdateInputExternalIds2Add(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TasksUpdateInputExternalIds2Remove(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TasksUpdateCommentInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class TasksUpsertInputAssigneeIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpsertInputBlockedByIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpsertInputCrmEntityIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpsertInputFileIds2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpsertInputLabels2(TypedDict):
    """In place of the whole list: what to add to it, and what to remove."""
    add: NotRequired[List[str]]
    """Added at the end of the list."""
    remove: NotRequired[List[str]]
    """Removed from the list."""

class TasksUpsertInputExternalIds(TypedDict):
    source: str
    """The system that it came from."""
    id: str
    """Its id."""

class WebhooksCreateInputFilter(TypedDict):
    kinds: NotRequired[List[CrmKind]]
    """Only events of CRM entities of these kinds."""
    projectIds: NotRequired[List[str]]
    """Only events of these projects and of objects that belong to them."""
    changedFields: NotRequired[List[str]]
    """Delivers `*.updated` events only if any of these fields changed. Other event types are not affected."""
    values: NotRequired[WebhookFilterValuesInput]
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""

class WebhooksListInspectedRequestsAnswer(TypedDict):
    data: List[InspectedRequest]
    """The items."""

class WebhooksTestAnswer(TypedDict):
    eventId: str
    """The recorded event."""
    deliveryId: str
    """It exists as soon as the test is sent."""

class WebhooksUpdateInputFilter(TypedDict):
    kinds: NotRequired[List[CrmKind]]
    """Only events of CRM entities of these kinds."""
    projectIds: NotRequired[List[str]]
    """Only events of these projects and of objects that belong to them."""
    changedFields: NotRequired[List[str]]
    """Delivers `*.updated` events only if any of these fields changed. Other event types are not affected."""
    values: NotRequired[WebhookFilterValuesInput]
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""

class ShownCommentFiles(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    name: str
    """The display name."""
    type: str
    """The kind."""
    bytes: int
    """Its size."""
    status: str
    """The status."""

class ShownCompanyFiles(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    name: str
    """The display name."""
    type: str
    """The kind."""
    bytes: int
    """Its size."""
    status: str
    """The status."""

class ShownContactFiles(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    name: str
    """The display name."""
    type: str
    """The kind."""
    bytes: int
    """Its size."""
    status: str
    """The status."""

class ShownDealFiles(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    name: str
    """The display name."""
    type: str
    """The kind."""
    bytes: int
    """Its size."""
    status: str
    """The status."""

class ShownDocumentFiles(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    name: str
    """The display name."""
    type: str
    """The kind."""
    bytes: int
    """Its size."""
    status: str
    """The status."""

class ShownTaskFiles(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    name: str
    """The display name."""
    type: str
    """The kind."""
    bytes: int
    """Its size."""
    status: str
    """The status."""

class Actor(TypedDict):
    type: Literal["user", "api_key", "system"]
    """The kind."""
    id: str
    """Its id."""
    name: str
    """The display name."""

class AnyImport(TypedDict):
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    createdAt: NotRequired[str]
    """When it was made there: becomes its `createdAt`."""
    updatedAt: NotRequired[Union[str, None]]
    createdBy: NotRequired[Union[AnyImportCreatedBy, None]]
    """The actor that created it."""

class ApiKey(TypedDict):
    id: str
    """Its id."""
    object: Literal["api_key"]
    """The type of the object."""
    name: str
    """The display name."""
    description: Union[str, None]
    """A description for people."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    scopes: List[str]
    """The scopes of the key."""
    surfaces: List[Literal["http", "mcp"]]
    """The surfaces that the key may use: HTTP, MCP or both."""
    toolNames: Literal["auto", "dots", "underscores"]
    """How tools are named over MCP: `tasks.list`, `tasks_list`, or as the client needs."""
    ipAllowlist: List[str]
    """If empty, any address is allowed."""
    rotationPolicy: Union[ApiKeyRotationPolicy, None]
    """When the secret must be rotated."""
    expiresAt: Union[str, None]
    rateLimit: Union[ApiKeyRateLimit, None]
    """The rate limit of the key, within the plan of the workspace; null means the default limit."""
    prefix: str
    """The first characters of the secret."""
    workspaceId: Union[str, None]
    """The workspace that it belongs to."""
    workspaceIds: List[str]
    """The workspaces of an unbound key."""
    status: Literal["active", "rotation_due", "suspended", "expired", "revoked"]
    """`suspended`: denied while its owner, or its creator if it has no owner, is suspended."""
    secretCreatedAt: str
    """RFC 3339, UTC, milliseconds."""
    rotateBy: Union[str, None]
    policyViolations: List[ApiKeyPolicyViolations]
    """Rules of its workspaces that the key breaks, and from when each denies it."""
    previousSecretExpiresAt: Union[str, None]
    previousSecretRequests: Union[int, None]
    previousSecretLastUsedAt: Union[str, None]
    """When an earlier secret was last used since the rotation."""
    previousSecretLastUsedIp: Union[str, None]
    """Where an earlier secret was last used from."""
    lastUsedAt: Union[str, None]
    """When it was used last."""
    lastUsedIp: Union[str, None]
    """Where it was used from last."""
    lastUsedUserAgent: Union[str, None]
    """Which program used it last."""
    requests30d: int
    """Requests of the last 30 days."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    revokedAt: Union[str, None]
    revokedBy: Union[Actor, None]
    """Who revoked it."""

class ApiKeyWithSecret(TypedDict):
    id: str
    """Its id."""
    object: Literal["api_key"]
    """The type of the object."""
    name: str
    """The display name."""
    description: Union[str, None]
    """A description for people."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    scopes: List[str]
    """The scopes of the key."""
    surfaces: List[Literal["http", "mcp"]]
    """The surfaces that the key may use: HTTP, MCP or both."""
    toolNames: Literal["auto", "dots", "underscores"]
    """How tools are named over MCP: `tasks.list`, `tasks_list`, or as the client needs."""
    ipAllowlist: List[str]
    """If empty, any address is allowed."""
    rotationPolicy: Union[ApiKeyWithSecretRotationPolicy, None]
    """When the secret must be rotated."""
    expiresAt: Union[str, None]
    rateLimit: Union[ApiKeyWithSecretRateLimit, None]
    """The rate limit of the key, within the plan of the workspace; null means the default limit."""
    prefix: str
    """The first characters of the secret."""
    workspaceId: Union[str, None]
    """The workspace that it belongs to."""
    workspaceIds: List[str]
    """The workspaces of an unbound key."""
    status: Literal["active", "rotation_due", "suspended", "expired", "revoked"]
    """`suspended`: denied while its owner, or its creator if it has no owner, is suspended."""
    secretCreatedAt: str
    """RFC 3339, UTC, milliseconds."""
    rotateBy: Union[str, None]
    policyViolations: List[ApiKeyWithSecretPolicyViolations]
    """Rules of its workspaces that the key breaks, and from when each denies it."""
    previousSecretExpiresAt: Union[str, None]
    previousSecretRequests: Union[int, None]
    previousSecretLastUsedAt: Union[str, None]
    """When an earlier secret was last used since the rotation."""
    previousSecretLastUsedIp: Union[str, None]
    """Where an earlier secret was last used from."""
    lastUsedAt: Union[str, None]
    """When it was used last."""
    lastUsedIp: Union[str, None]
    """Where it was used from last."""
    lastUsedUserAgent: Union[str, None]
    """Which program used it last."""
    requests30d: int
    """Requests of the last 30 days."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    revokedAt: Union[str, None]
    revokedBy: Union[Actor, None]
    """Who revoked it."""
    secret: str
    """Shown only in this response."""

class Attempt(TypedDict):
    id: str
    """Its id."""
    object: Literal["attempt"]
    """The type of the object."""
    deliveryId: str
    """The delivery that it belongs to."""
    number: int
    """Counts from 1."""
    trigger: Literal["automatic", "manual"]
    """Whether it was automatic or requested."""
    startedAt: str
    """RFC 3339, UTC, milliseconds."""
    durationMs: int
    """The duration, in milliseconds."""
    timings: Union[Timings, None]
    """Where the time went, in milliseconds."""
    request: AttemptRequest
    """The request."""
    response: Union[AttemptResponse, None]
    """The response; null if there was none."""
    outcome: Literal["success", "failed", "interrupted"]
    """The outcome. `interrupted`: the process that sent it was lost before the end, so it is sent again; `maxAttempts` rises by one, and it is no failure of the webhook."""
    errorCode: Union[str, None]
    """Why the attempt failed: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`, `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`, `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`."""

class AuditActor(TypedDict):
    type: Literal["user", "api_key", "system"]
    """The kind."""
    id: str
    """Its id."""
    name: str
    """The display name."""
    keyPrefix: Union[str, None]

class AuditEntry(TypedDict):
    id: str
    """Its id."""
    object: Literal["audit_entry"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    number: int
    """Without gaps within a workspace."""
    at: str
    """RFC 3339, UTC, milliseconds."""
    actor: AuditActor
    """The actor that made the change."""
    action: str
    """The name of the operation; `tools.call` for an MCP tool; `mcp` if the request was rejected before a tool was known."""
    surface: Literal["console", "http", "mcp", "cli", "system"]
    """From where: the workspace settings in a browser, the HTTP API with a key or with the operator’s token, MCP, the command line, or the service itself."""
    target: Union[AuditEntryTarget, None]
    """What it is about."""
    outcome: Literal["success", "denied", "failed"]
    """The outcome."""
    code: Union[str, None]
    ip: Union[str, None]
    """The address of the client."""
    userAgent: Union[str, None]
    """The program that sent the request."""
    requestId: str
    """The request that made the change."""
    changes: Dict[str, AuditEntryChanges]
    """Each field that changed, with its value before and after."""
    argumentsHash: NotRequired[str]
    """Of tool calls: SHA-256, in hex, of the arguments as JSON with sorted members, without spaces."""
    traceId: NotRequired[str]
    """For tool calls with a W3C Trace Context."""
    count: int
    """The number of identical denials, close together, that this entry represents."""
    previousHash: str
    """SHA-256, in hex."""
    hash: str
    """SHA-256, in hex."""

class Author(TypedDict):
    type: Literal["user", "api_key", "system", "imported"]
    """`imported`: a person of the system that it comes from; `id` is that of the importing key."""
    id: str
    """Its id."""
    name: str
    """The display name."""

class ChangedWebhook(TypedDict):
    id: str
    """Its id."""
    object: Literal["webhook"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    name: str
    """The display name."""
    url: str
    """An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the host in punycode."""
    eventTypes: List[str]
    """Event types, all of a segment (`projects.*`), or all (`*`)."""
    filter: Union[ChangedWebhookFilter, None]
    """The filter."""
    ignoredKeyIds: List[str]
    """Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps its id. Default: none."""
    includeImports: bool
    """False: changes that are imports (events with `origin: 'import'`) are not delivered. Default true."""
    payload: Literal["full", "thin"]
    """`thin` leaves out `data`, `changes` and `related`."""
    order: Literal["none", "webhook", "object"]
    """`none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A change applies to later events. Default `none`."""
    maxPerMinute: Union[int, None]
    grants: ChangedWebhookGrants
    """The scopes that it was granted, by whom and since when."""
    headerNames: List[str]
    """The names of the headers sent with every delivery."""
    status: WebhookStatus
    """The status."""
    disabledReason: Union[str, None]
    """Why nothing more is sent."""
    secrets: List[ChangedWebhookSecrets]
    """The secrets that deliveries are signed with."""
    consecutiveFailures: int
    """Failed attempts since the last success."""
    circuit: ChangedWebhookCircuit
    """The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response."""
    health: ChangedWebhookHealth
    """The state of its endpoint, the next attempt, and what has failed."""
    stats24h: ChangedWebhookStats24h
    """Counts of the last 24 hours."""
    secret: NotRequired[str]
    """The new secret, if the host has changed. Shown only in this response."""

class Comment(TypedDict):
    id: str
    """Its id."""
    object: Literal["comment"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[CommentImported, None]
    subject: CommentSubject
    """The object that the comment is about."""
    body: str
    """Markdown."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[CommentExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""

class CommentCreate(TypedDict):
    taskId: NotRequired[Union[str, None]]
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about."""
    fileIds: NotRequired[Union[List[str], None]]
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CommentCreateExternalIds], None]]
    body: str
    """Markdown."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class CommentPatch(TypedDict):
    body: NotRequired[str]
    """Markdown."""
    fileIds: NotRequired[Union[List[str], CommentPatchFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CommentPatchExternalIds], CommentPatchExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class CommentUpsert(TypedDict):
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    taskId: NotRequired[Union[str, None]]
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about."""
    fileIds: NotRequired[Union[List[str], CommentUpsertFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    body: str
    """Markdown."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[CommentUpsertExternalIds], None]]

class Company(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[CompanyImported, None]
    kind: Literal["company"]
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""
    domains: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the workspace."""
    website: Union[str, None]
    """Address of the website."""
    industry: Union[str, None]
    """The industry of the company."""
    employeeCount: Union[int, None]
    """The number of employees."""
    emails: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: List[str]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: Union[CompanyAddress, None]
    """Where the company is."""
    parentCompanyId: Union[str, None]
    """The company that this one is a part of."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    labels: List[str]
    """Tags to find it by."""
    description: Union[str, None]
    """A description for people."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[CompanyExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    mergedIntoId: Union[str, None]
    """The CRM entity that replaces it."""

class Contact(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[ContactImported, None]
    kind: Literal["contact"]
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""
    firstName: Union[str, None]
    """Given name."""
    lastName: Union[str, None]
    """Family name."""
    emails: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: List[str]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: Union[ContactAddress, None]
    """Where the company is."""
    jobTitle: Union[str, None]
    """The job title of the contact."""
    companyId: Union[str, None]
    """The company that it belongs to."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    labels: List[str]
    """Tags to find it by."""
    description: Union[str, None]
    """A description for people."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[ContactExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    mergedIntoId: Union[str, None]
    """The CRM entity that replaces it."""

class CrmEntityCreate(TypedDict):
    kind: CrmKind
    """Of a CRM entity: company, contact or deal."""
    name: NotRequired[str]
    """The display name."""
    domains: NotRequired[Union[List[str], None]]
    website: NotRequired[Union[str, None]]
    """Address of the website."""
    industry: NotRequired[Union[str, None]]
    """The industry of the company."""
    employeeCount: NotRequired[Union[int, None]]
    """The number of employees."""
    emails: NotRequired[Union[List[str], None]]
    phones: NotRequired[Union[List[str], None]]
    """The phone number."""
    address: NotRequired[Union[CrmEntityCreateAddress, None]]
    """Where the company is."""
    parentCompanyId: NotRequired[Union[str, None]]
    """The company that this one is a part of."""
    firstName: NotRequired[Union[str, None]]
    """Given name."""
    lastName: NotRequired[Union[str, None]]
    """Family name."""
    jobTitle: NotRequired[Union[str, None]]
    """The job title of the contact."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    stage: NotRequired[DealStage]
    """The stage of the deal."""
    amount: NotRequired[Union[CrmEntityCreateAmount, None]]
    """The value of the deal."""
    probability: NotRequired[int]
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: NotRequired[Union[str, None]]
    lostReason: NotRequired[Union[str, None]]
    contactIds: NotRequired[Union[List[str], None]]
    """Contacts of this deal."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    labels: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    fileIds: NotRequired[Union[List[str], None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CrmEntityCreateExternalIds], None]]
    imported: NotRequired[CrmEntityImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class CrmEntityImport(TypedDict):
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    createdAt: NotRequired[str]
    """When it was made there: becomes its `createdAt`."""
    updatedAt: NotRequired[Union[str, None]]
    createdBy: NotRequired[Union[CrmEntityImportCreatedBy, None]]
    """The actor that created it."""
    closedAt: NotRequired[str]
    """When it ended there: becomes its `closedAt`. Only for what has ended."""

class CrmEntityPatch(TypedDict):
    name: NotRequired[str]
    """The display name."""
    domains: NotRequired[Union[List[str], CrmEntityPatchDomains2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the workspace."""
    website: NotRequired[Union[str, None]]
    """Address of the website."""
    industry: NotRequired[Union[str, None]]
    """The industry of the company."""
    employeeCount: NotRequired[Union[int, None]]
    """The number of employees."""
    emails: NotRequired[Union[List[str], CrmEntityPatchEmails2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: NotRequired[Union[List[str], CrmEntityPatchPhones2, None]]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: NotRequired[Union[CrmEntityPatchAddress, None]]
    """Where the company is."""
    parentCompanyId: NotRequired[Union[str, None]]
    """The company that this one is a part of."""
    firstName: NotRequired[Union[str, None]]
    """Given name."""
    lastName: NotRequired[Union[str, None]]
    """Family name."""
    jobTitle: NotRequired[Union[str, None]]
    """The job title of the contact."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    stage: NotRequired[DealStage]
    """The stage of the deal."""
    amount: NotRequired[Union[CrmEntityPatchAmount, None]]
    """The value of the deal."""
    probability: NotRequired[int]
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: NotRequired[Union[str, None]]
    lostReason: NotRequired[Union[str, None]]
    contactIds: NotRequired[Union[List[str], CrmEntityPatchContactIds2, None]]
    """Contacts of this deal."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    labels: NotRequired[Union[List[str], CrmEntityPatchLabels2, None]]
    """Tags to find it by."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    fileIds: NotRequired[Union[List[str], CrmEntityPatchFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CrmEntityPatchExternalIds], CrmEntityPatchExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[CrmEntityImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class CrmEntityReference(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    kind: str
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""

class CrmEntityUpsert(TypedDict):
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    match: NotRequired[Literal["domains", "emails", "phones"]]
    """If no object has the own id: take the one of the same kind that has one of the given values in this field, and give it the own id as well."""
    kind: CrmKind
    """Of a CRM entity: company, contact or deal."""
    name: NotRequired[str]
    """The display name."""
    domains: NotRequired[Union[List[str], CrmEntityUpsertDomains2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the workspace."""
    website: NotRequired[Union[str, None]]
    """Address of the website."""
    industry: NotRequired[Union[str, None]]
    """The industry of the company."""
    employeeCount: NotRequired[Union[int, None]]
    """The number of employees."""
    emails: NotRequired[Union[List[str], CrmEntityUpsertEmails2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: NotRequired[Union[List[str], CrmEntityUpsertPhones2, None]]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: NotRequired[Union[CrmEntityUpsertAddress, None]]
    """Where the company is."""
    parentCompanyId: NotRequired[Union[str, None]]
    """The company that this one is a part of."""
    firstName: NotRequired[Union[str, None]]
    """Given name."""
    lastName: NotRequired[Union[str, None]]
    """Family name."""
    jobTitle: NotRequired[Union[str, None]]
    """The job title of the contact."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    stage: NotRequired[DealStage]
    """The stage of the deal."""
    amount: NotRequired[Union[CrmEntityUpsertAmount, None]]
    """The value of the deal."""
    probability: NotRequired[int]
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: NotRequired[Union[str, None]]
    lostReason: NotRequired[Union[str, None]]
    contactIds: NotRequired[Union[List[str], CrmEntityUpsertContactIds2, None]]
    """Contacts of this deal."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    labels: NotRequired[Union[List[str], CrmEntityUpsertLabels2, None]]
    """Tags to find it by."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    fileIds: NotRequired[Union[List[str], CrmEntityUpsertFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    imported: NotRequired[CrmEntityImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[CrmEntityUpsertExternalIds], None]]

class CustomField(TypedDict):
    id: str
    """Its id."""
    object: Literal["custom_field"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    key: str
    """The name in `customFields`. It never changes."""
    target: CustomFieldTarget
    """What it is about."""
    type: Literal["text", "number", "date", "boolean", "select", "multi_select", "user", "url"]
    """The kind."""
    label: str
    """The display name."""
    options: List[str]
    """The options to choose from."""
    required: bool
    """An object cannot be created without a value."""
    archivedAt: Union[str, None]
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""

class Deal(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[DealImported, None]
    kind: Literal["deal"]
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""
    stage: DealStage
    """The stage of the deal."""
    amount: Union[DealAmount, None]
    """The value of the deal."""
    probability: int
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: Union[str, None]
    lostReason: Union[str, None]
    emails: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: List[str]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    companyId: Union[str, None]
    """The company that it belongs to."""
    contactIds: List[str]
    """Contacts of this deal."""
    closedAt: Union[str, None]
    ownerId: Union[str, None]
    """The member who is responsible."""
    labels: List[str]
    """Tags to find it by."""
    description: Union[str, None]
    """A description for people."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[DealExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    mergedIntoId: Union[str, None]
    """The CRM entity that replaces it."""

class Delivery(TypedDict):
    id: str
    """Its id."""
    object: Literal["delivery"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    eventId: str
    """The recorded event."""
    eventType: str
    """The event type."""
    webhookId: str
    """The webhook that it is sent to."""
    status: DeliveryStatus
    """The status."""
    origin: Literal["live", "replay", "test"]
    """Why it is sent."""
    attemptCount: int
    """The number of attempts, including those after it was resent."""
    maxAttempts: int
    """The total of attempts after which it becomes a dead letter. Resending the delivery raises it, and so does an interrupted attempt."""
    nextAttemptAt: Union[str, None]
    lastStatusCode: Union[int, None]
    """The last status that the endpoint returned."""
    lastErrorCode: Union[str, None]
    """Why it was not accepted: `http_status`, `timeout`, `connect_error`, `connection_closed`, `invalid_response`, `tls_error`, `dns_error`, `blocked_address`, `invalid_url`, `signing_failed`, `proxy_error`, `host_busy`, `host_unproven`, `interrupted`, `aborted`, `expired`, `held_after_restore`, `webhook_paused`."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    deliveredAt: Union[str, None]
    deadLetteredAt: Union[str, None]

class Document(TypedDict):
    id: str
    """Its id."""
    object: Literal["document"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[DocumentImported, None]
    title: str
    """The display name."""
    content: str
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: Union[str, None]
    """A short description."""
    folder: Union[str, None]
    tags: List[str]
    """Tags to find it by."""
    status: DocumentStatus
    """The status."""
    crmEntityId: Union[str, None]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: Union[str, None]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[DocumentExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    wordCount: int
    """Runs of letters and digits in the content."""
    checksum: str
    """SHA-256 of the content, in hex."""

class DocumentBrief(TypedDict):
    id: str
    """Its id."""
    object: Literal["document"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[DocumentBriefImported, None]
    title: str
    """The display name."""
    summary: Union[str, None]
    """A short description."""
    folder: Union[str, None]
    tags: List[str]
    """Tags to find it by."""
    status: DocumentStatus
    """The status."""
    crmEntityId: Union[str, None]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: Union[str, None]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[DocumentBriefExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    wordCount: int
    """Runs of letters and digits in the content."""
    checksum: str
    """SHA-256 of the content, in hex."""

class DocumentCreate(TypedDict):
    title: str
    """The display name."""
    content: NotRequired[str]
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: NotRequired[Union[str, None]]
    """A short description."""
    folder: NotRequired[Union[str, None]]
    tags: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    status: NotRequired[DocumentStatus]
    """The status."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: NotRequired[Union[List[str], None]]
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[DocumentCreateExternalIds], None]]
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class DocumentPatch(TypedDict):
    title: NotRequired[str]
    """The display name."""
    content: NotRequired[str]
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: NotRequired[Union[str, None]]
    """A short description."""
    folder: NotRequired[Union[str, None]]
    tags: NotRequired[Union[List[str], DocumentPatchTags2, None]]
    """Tags to find it by."""
    status: NotRequired[DocumentStatus]
    """The status."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: NotRequired[Union[List[str], DocumentPatchFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[DocumentPatchExternalIds], DocumentPatchExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class DocumentUpsert(TypedDict):
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    title: str
    """The display name."""
    content: NotRequired[str]
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: NotRequired[Union[str, None]]
    """A short description."""
    folder: NotRequired[Union[str, None]]
    tags: NotRequired[Union[List[str], DocumentUpsertTags2, None]]
    """Tags to find it by."""
    status: NotRequired[DocumentStatus]
    """The status."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: NotRequired[Union[List[str], DocumentUpsertFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[DocumentUpsertExternalIds], None]]

class DownloadAddress(TypedDict):
    method: Literal["GET"]
    """The HTTP method."""
    url: str
    """Send no API key with it: its signature stands for the key that requested it, with the rate limit and IP allowlist of that key. Relative to the API if the installation has no `PUBLIC_URL`."""
    expiresAt: str
    """RFC 3339, UTC, milliseconds."""

class EventRecord(TypedDict):
    id: str
    """Its id."""
    object: Literal["event"]
    """The type of the object."""
    type: str
    """The kind."""
    workspaceId: str
    """The workspace that it belongs to."""
    sequence: int
    """Counts the events of a workspace in the order of commits, without gaps but for one where the installation was restored from a backup."""
    occurredAt: str
    """RFC 3339, UTC, milliseconds."""
    actor: Actor
    """The actor that made the change."""
    requestId: str
    """The request that made the change."""
    resource: EventRecordResource
    """The object that the event is about."""
    data: Any
    """The object after the change."""
    changes: Dict[str, EventRecordChanges]
    """Each field that changed, with its value before and after."""
    related: NotRequired[EventRecordRelated]
    """What the object belongs to, with the names at the time of the event."""
    origin: NotRequired[Literal["import", "trigger"]]
    """Present if the change was not made here. `import`: what it is about happened in another system before. `trigger`: nothing has happened; the event was triggered in a sandbox, and the object is as it was."""
    test: NotRequired[Literal[True]]
    """Present if a test delivers an example of this type: nothing has happened. It is in no feed."""

class File(TypedDict):
    id: str
    """Its id."""
    object: Literal["file"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    name: str
    """With its ending, without folders."""
    bytes: int
    """Its size."""
    type: str
    """Media type in lower case without parameters, such as `application/pdf`."""
    detectedType: Union[str, None]
    """What its first bytes say it is; null where they say nothing, as those of plain text."""
    sha256: Union[str, None]
    """SHA-256 of its bytes, in hex; null until they have come if you gave none."""
    status: FileStatus
    """`awaiting_upload`: its bytes are not uploaded yet. `held`: they are, and wait for their release. `available`: they can be read. `quarantined`: they are locked."""
    uploadedAt: Union[str, None]
    quarantineReason: Union[str, None]

class InspectedRequest(TypedDict):
    id: str
    """Its id."""
    object: Literal["inspected_request"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    webhookId: str
    """The webhook that it is sent to."""
    deliveryId: str
    """The delivery that it belongs to."""
    eventType: str
    """The event type."""
    attempt: int
    """The number of the attempt, as in the attempts of the delivery."""
    receivedAt: str
    """RFC 3339, UTC, milliseconds."""
    method: str
    """The HTTP method."""
    path: str
    """With the query."""
    headers: Dict[str, str]
    """As received, in lower case. Values of custom headers are masked."""
    bodyBytes: int
    """Bytes of a body."""
    signatures: InspectedRequestSignatures
    """What the inspector found when it verified the request as an endpoint does. One valid signature is enough."""
    answeredStatus: Union[int, None]

class InspectedRequestWithBody(TypedDict):
    id: str
    """Its id."""
    object: Literal["inspected_request"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    webhookId: str
    """The webhook that it is sent to."""
    deliveryId: str
    """The delivery that it belongs to."""
    eventType: str
    """The event type."""
    attempt: int
    """The number of the attempt, as in the attempts of the delivery."""
    receivedAt: str
    """RFC 3339, UTC, milliseconds."""
    method: str
    """The HTTP method."""
    path: str
    """With the query."""
    headers: Dict[str, str]
    """As received, in lower case. Values of custom headers are masked."""
    bodyBytes: int
    """Bytes of a body."""
    signatures: InspectedRequestWithBodySignatures
    """What the inspector found when it verified the request as an endpoint does. One valid signature is enough."""
    answeredStatus: Union[int, None]
    body: str
    """As it came, to the byte."""

class Job(TypedDict):
    id: str
    """Its id."""
    object: Literal["job"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    kind: Literal["export", "import", "update", "delete"]
    """What the job does."""
    status: JobStatus
    """`queued`: it waits for an earlier job of the workspace. `completed`: all of it was done. `failed`: it ended before that; `failure` says why."""
    failure: Union[JobFailure, None]
    """Why it has failed."""
    request: Dict[str, Any]
    """What the job was started with, without `text`."""
    scopes: List[str]
    """The scopes that it works with. A key needs them to see the job."""
    total: int
    """The total of objects. 0 until they are counted."""
    done: int
    """The objects that are done, including those that were rejected."""
    refused: int
    """The objects that could not be changed."""
    sequence: int
    """The position of the feed at the start of the job: what happens later has a greater one."""
    result: Union[JobResult, None]
    """The file that `GET /jobs/{id}/result` returns; null before it exists."""
    refusals: Union[JobRefusals, None]
    """The file that `GET /jobs/{id}/refusals` returns; null before it exists, and if nothing was rejected."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    endedAt: Union[str, None]
    expiresAt: Union[str, None]
    """When the job and its files are deleted; null before it has ended."""

class LoggedRequest(TypedDict):
    id: str
    """Its id."""
    object: Literal["logged_request"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    at: str
    """When the request arrived."""
    method: str
    """The HTTP method."""
    path: str
    """Without the query. A value that is neither an id nor a key such as `WEB-42` is shown as the name of the parameter, `{id}`."""
    operation: str
    """The name of the operation, or of the MCP tool; `mcp` for other messages and for batches."""
    surface: Literal["http", "mcp"]
    """The surface of the request."""
    status: int
    """499: the client closed the connection. A rejected tool call over MCP has 200 and a `code`."""
    ms: float
    """Milliseconds until the response headers."""
    apiKeyId: str
    """The key of the request."""
    apiKeyName: str
    """At the time of the request."""
    apiKeyPrefix: Union[str, None]
    ip: Union[str, None]
    """The address of the client."""
    requestId: str
    """`X-Request-Id` of the response."""
    objectId: Union[str, None]
    code: Union[str, None]
    detail: Union[str, None]
    leftOut: int
    """How many requests of the same kind, before this one, were not kept because there were too many."""

class Me(TypedDict):
    object: Literal["me"]
    """The type of the object."""
    apiKey: MeApiKey
    """The key of the request."""
    scopes: List[str]
    """The scopes of the key."""
    workspaces: List[MeWorkspaces]
    """The workspaces that the key may act in."""
    workspaceSelection: MeWorkspaceSelection
    """How a request names the workspace."""
    rateLimit: Union[MeRateLimit, None]
    """The rate limit of the key and what remains of it."""

class Member(TypedDict):
    id: str
    """Its id."""
    object: Literal["member"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    name: str
    """The display name."""
    email: str
    """Stored in lower case. Unique among the members that are not removed."""
    role: Literal["owner", "admin", "member", "viewer"]
    """What the member may do in the application."""
    status: MemberStatus
    """The status."""
    lastSeenAt: Union[str, None]

class MemberReference(TypedDict):
    id: str
    """Its id."""
    object: Literal["member"]
    """The type of the object."""
    name: str
    """The display name."""
    email: str
    """The email address."""

class MergedCompany(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[MergedCompanyImported, None]
    kind: Literal["company"]
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""
    domains: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the workspace."""
    website: Union[str, None]
    """Address of the website."""
    industry: Union[str, None]
    """The industry of the company."""
    employeeCount: Union[int, None]
    """The number of employees."""
    emails: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: List[str]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: Union[MergedCompanyAddress, None]
    """Where the company is."""
    parentCompanyId: Union[str, None]
    """The company that this one is a part of."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    labels: List[str]
    """Tags to find it by."""
    description: Union[str, None]
    """A description for people."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[MergedCompanyExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    mergedIntoId: Union[str, None]
    """The CRM entity that replaces it."""
    mergedFromId: str
    """The CRM entity that was merged into this one."""

class MergedContact(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[MergedContactImported, None]
    kind: Literal["contact"]
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""
    firstName: Union[str, None]
    """Given name."""
    lastName: Union[str, None]
    """Family name."""
    emails: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: List[str]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: Union[MergedContactAddress, None]
    """Where the company is."""
    jobTitle: Union[str, None]
    """The job title of the contact."""
    companyId: Union[str, None]
    """The company that it belongs to."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    labels: List[str]
    """Tags to find it by."""
    description: Union[str, None]
    """A description for people."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[MergedContactExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    mergedIntoId: Union[str, None]
    """The CRM entity that replaces it."""
    mergedFromId: str
    """The CRM entity that was merged into this one."""

class MergedDeal(TypedDict):
    id: str
    """Its id."""
    object: Literal["crm_entity"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[MergedDealImported, None]
    kind: Literal["deal"]
    """Of a CRM entity: company, contact or deal."""
    name: str
    """The display name."""
    stage: DealStage
    """The stage of the deal."""
    amount: Union[MergedDealAmount, None]
    """The value of the deal."""
    probability: int
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: Union[str, None]
    lostReason: Union[str, None]
    emails: List[str]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: List[str]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    companyId: Union[str, None]
    """The company that it belongs to."""
    contactIds: List[str]
    """Contacts of this deal."""
    closedAt: Union[str, None]
    ownerId: Union[str, None]
    """The member who is responsible."""
    labels: List[str]
    """Tags to find it by."""
    description: Union[str, None]
    """A description for people."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[MergedDealExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    mergedIntoId: Union[str, None]
    """The CRM entity that replaces it."""
    mergedFromId: str
    """The CRM entity that was merged into this one."""

class Problem(TypedDict):
    """Why a request failed. Some codes have further fields."""
    type: str
    """The page that explains the code. Exception: if the response contains `violated-policies`, this is a problem type that is registered with IANA."""
    title: str
    """A short title. All problems with this code have the same one."""
    status: int
    """The HTTP status of the response."""
    detail: str
    """What happened in this case."""
    instance: str
    """The path of the request."""
    code: Literal["invalid_http", "invalid_json", "unknown_parameter", "invalid_parameter", "invalid_header", "invalid_cursor", "cursor_mismatch", "workspace_required", "workspace_invalid", "workspace_conflict", "invalid_idempotency_key", "missing_credentials", "invalid_api_key", "api_key_revoked", "api_key_expired", "not_signed_in", "invalid_signature", "address_expired", "ip_not_allowed", "api_key_rotation_required", "ip_allowlist_required", "key_expiry_required", "api_key_suspended", "unbound_key_not_allowed", "api_key_has_no_scopes", "insufficient_scope", "surface_not_allowed", "workspace_not_allowed", "host_not_allowed", "tool_disabled", "origin_not_allowed", "wrong_password", "confirmation_required", "password_sign_in_off", "wrong_second_factor", "challenge_expired", "sign_in_expired", "provider_refused", "provider_answer_invalid", "email_not_verified", "email_domain_not_allowed", "no_membership", "https_required", "second_factor_required", "workspace_suspended", "not_found", "route_not_found", "method_not_allowed", "not_acceptable", "request_timeout", "duplicate", "invalid_transition", "last_second_factor", "project_archived", "sandbox_only", "not_deleted", "idempotency_in_progress", "ambiguous_match", "legal_hold", "file_not_available", "limit_reached", "quota_reached", "cursor_expired", "cursor_outdated", "feed_rewound", "purged", "version_mismatch", "precondition_failed", "body_too_large", "too_many_items", "unsupported_media_type", "range_not_satisfiable", "expectation_failed", "validation_failed", "unknown_field", "content_mismatch", "reference_not_found", "idempotency_key_reused", "batch_failed", "depends_on_failed", "rate_limited", "headers_too_large", "request_cancelled", "internal_error", "upstream_error", "provider_unavailable", "storage_full", "query_too_costly", "unavailable", "timeout"]
    """The stable error code."""
    requestId: str
    """The ID of the request. Quote it when you contact the operator."""
    hint: NotRequired[str]
    """What may help."""
    retryAfterSeconds: NotRequired[int]
    """When to retry."""
    errors: NotRequired[List[ProblemErrors]]
    """The rejected values, each with its location."""

class Project(TypedDict):
    id: str
    """Its id."""
    object: Literal["project"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[ProjectImported, None]
    key: str
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: str
    """The display name."""
    description: Union[str, None]
    """A description for people."""
    status: ProjectStatus
    """The status."""
    health: Union[Literal["on_track", "at_risk", "off_track"], None]
    """Whether it is on schedule."""
    priority: Literal["none", "low", "medium", "high", "urgent"]
    """How urgent it is."""
    ownerId: Union[str, None]
    """The member who is responsible."""
    memberIds: List[str]
    """Members who work on it."""
    companyId: Union[str, None]
    """The company that it belongs to."""
    labels: List[str]
    """Tags to find it by."""
    startDate: Union[str, None]
    dueDate: Union[str, None]
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[ProjectExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    completedAt: Union[str, None]
    archivedAt: Union[str, None]

class ProjectCreate(TypedDict):
    key: NotRequired[str]
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[ProjectStatus]
    """The status."""
    health: NotRequired[Union[Literal["on_track", "at_risk", "off_track"], None]]
    """Whether it is on schedule."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    memberIds: NotRequired[Union[List[str], None]]
    """Members who work on it."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    labels: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[ProjectCreateExternalIds], None]]
    imported: NotRequired[ProjectImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class ProjectImport(TypedDict):
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    createdAt: NotRequired[str]
    """When it was made there: becomes its `createdAt`."""
    updatedAt: NotRequired[Union[str, None]]
    createdBy: NotRequired[Union[ProjectImportCreatedBy, None]]
    """The actor that created it."""
    completedAt: NotRequired[str]
    """When it ended there: becomes its `completedAt`. Only for what has ended."""

class ProjectPatch(TypedDict):
    key: NotRequired[str]
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: NotRequired[str]
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[ProjectStatus]
    """The status."""
    health: NotRequired[Union[Literal["on_track", "at_risk", "off_track"], None]]
    """Whether it is on schedule."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    memberIds: NotRequired[Union[List[str], ProjectPatchMemberIds2, None]]
    """Members who work on it."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    labels: NotRequired[Union[List[str], ProjectPatchLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[ProjectPatchExternalIds], ProjectPatchExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[ProjectImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class ProjectReference(TypedDict):
    id: str
    """Its id."""
    object: Literal["project"]
    """The type of the object."""
    key: str
    """Short name, unique in the workspace."""
    name: str
    """The display name."""
    status: str
    """The status."""

class ProjectUpsert(TypedDict):
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    key: NotRequired[str]
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[ProjectStatus]
    """The status."""
    health: NotRequired[Union[Literal["on_track", "at_risk", "off_track"], None]]
    """Whether it is on schedule."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    memberIds: NotRequired[Union[List[str], ProjectUpsertMemberIds2, None]]
    """Members who work on it."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    labels: NotRequired[Union[List[str], ProjectUpsertLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    imported: NotRequired[ProjectImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[ProjectUpsertExternalIds], None]]

class ReplayJob(TypedDict):
    id: str
    """Its id."""
    object: Literal["replay_job"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    status: Literal["running", "completed", "cancelled"]
    """`completed`: every delivery that could be resent was resent. `cancelled`: it ended before that; `cancelReason` says why."""
    cancelReason: Union[Literal["requested", "webhook_deleted", "webhook_disabled", "webhook_paused", "grant_revoked", "restored"], None]
    filter: ReplayJobFilter
    """The filter."""
    scopes: List[str]
    """The read scopes of its creator at that time. It resends no event outside of them."""
    perMinute: Union[int, None]
    total: int
    """The number of deliveries that matched the filter when the job was created."""
    leftOut: ReplayJobLeftOut
    """Deliveries that match the filter but are not resent, counted by reason. They are in no total."""
    replayed: int
    """The number of deliveries that the job has resent."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    endedAt: Union[str, None]

class Resource(TypedDict):
    object: Literal["resource"]
    """The type of the object."""
    uri: str
    """`workspace://…`, as in the list."""
    name: str
    """The display name."""
    title: str
    """The display name."""
    description: str
    """A description for people."""
    mimeType: Literal["text/markdown", "application/json"]
    """The media type of the text."""
    kind: Literal["overview", "members", "labels", "custom_fields", "view", "glossary"]
    """Of a CRM entity: company, contact or deal."""
    size: int
    """Bytes of the text, as this key may read it."""
    updatedAt: Union[str, None]

class Task(TypedDict):
    id: str
    """Its id."""
    object: Literal["task"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Author
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    imported: Union[TaskImported, None]
    number: int
    """Counts within the project."""
    identifier: str
    """Key of the project and number, as in WEB-42. It changes if the project gets a new key or the task moves to another project."""
    projectId: str
    """The project that it belongs to."""
    title: str
    """The display name."""
    description: Union[str, None]
    """A description for people."""
    status: TaskStatus
    """The status."""
    priority: Literal["none", "low", "medium", "high", "urgent"]
    """How urgent it is."""
    assigneeIds: List[str]
    """The assigned members."""
    parentTaskId: Union[str, None]
    """The task that it is a part of."""
    blockedByIds: List[str]
    """The tasks that must be done first. They must not form a cycle."""
    crmEntityIds: List[str]
    """CRM entities that it is about."""
    fileIds: List[str]
    """Its files, whose bytes have been uploaded."""
    labels: List[str]
    """Tags to find it by."""
    startDate: Union[str, None]
    dueDate: Union[str, None]
    estimateMinutes: Union[int, None]
    """The estimated time."""
    position: float
    """Its position among others; new ones come last."""
    customFields: Dict[str, Any]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: Union[str, None]
    """The system that it came from: the first of `externalIds`."""
    externalId: Union[str, None]
    """Its id in the system that it came from."""
    externalIds: List[TaskExternalIds]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    completedAt: Union[str, None]

class TaskCreate(TypedDict):
    projectId: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    title: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[TaskStatus]
    """The status."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    assigneeIds: NotRequired[Union[List[str], None]]
    """The assigned members."""
    parentTaskId: NotRequired[Union[str, None]]
    """The task that it is a part of."""
    blockedByIds: NotRequired[Union[List[str], None]]
    """Tasks that have to be done first."""
    crmEntityIds: NotRequired[Union[List[str], None]]
    """CRM entities that it is about."""
    fileIds: NotRequired[Union[List[str], None]]
    labels: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    estimateMinutes: NotRequired[Union[int, None]]
    """The estimated time."""
    position: NotRequired[float]
    """Its position among others; new ones come last."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[TaskCreateExternalIds], None]]
    imported: NotRequired[TaskImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class TaskImport(TypedDict):
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    createdAt: NotRequired[str]
    """When it was made there: becomes its `createdAt`."""
    updatedAt: NotRequired[Union[str, None]]
    createdBy: NotRequired[Union[TaskImportCreatedBy, None]]
    """The actor that created it."""
    completedAt: NotRequired[str]
    """When it ended there: becomes its `completedAt`. Only for what has ended."""
    number: NotRequired[int]
    """Its number there. Only as long as the project has numbered no task by itself."""

class TaskPatch(TypedDict):
    projectId: NotRequired[str]
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    title: NotRequired[str]
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[TaskStatus]
    """The status."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    assigneeIds: NotRequired[Union[List[str], TaskPatchAssigneeIds2, None]]
    """The assigned members."""
    parentTaskId: NotRequired[Union[str, None]]
    """The task that it is a part of."""
    blockedByIds: NotRequired[Union[List[str], TaskPatchBlockedByIds2, None]]
    """The tasks that must be done first. They must not form a cycle."""
    crmEntityIds: NotRequired[Union[List[str], TaskPatchCrmEntityIds2, None]]
    """CRM entities that it is about."""
    fileIds: NotRequired[Union[List[str], TaskPatchFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    labels: NotRequired[Union[List[str], TaskPatchLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    estimateMinutes: NotRequired[Union[int, None]]
    """The estimated time."""
    position: NotRequired[float]
    """Its position among others; new ones come last."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[TaskPatchExternalIds], TaskPatchExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[TaskImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class TaskReference(TypedDict):
    id: str
    """Its id."""
    object: Literal["task"]
    """The type of the object."""
    identifier: str
    """Key of the project and number, as in WEB-42."""
    title: str
    """The display name."""
    status: str
    """The status."""

class TaskUpsert(TypedDict):
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    projectId: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    title: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[TaskStatus]
    """The status."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    assigneeIds: NotRequired[Union[List[str], TaskUpsertAssigneeIds2, None]]
    """The assigned members."""
    parentTaskId: NotRequired[Union[str, None]]
    """The task that it is a part of."""
    blockedByIds: NotRequired[Union[List[str], TaskUpsertBlockedByIds2, None]]
    """The tasks that must be done first. They must not form a cycle."""
    crmEntityIds: NotRequired[Union[List[str], TaskUpsertCrmEntityIds2, None]]
    """CRM entities that it is about."""
    fileIds: NotRequired[Union[List[str], TaskUpsertFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    labels: NotRequired[Union[List[str], TaskUpsertLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    estimateMinutes: NotRequired[Union[int, None]]
    """The estimated time."""
    position: NotRequired[float]
    """Its position among others; new ones come last."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    imported: NotRequired[TaskImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[TaskUpsertExternalIds], None]]

class Timings(TypedDict):
    dns: Union[int, None]
    """Looking up the name."""
    connect: Union[int, None]
    """Connecting."""
    tls: Union[int, None]
    """The TLS handshake."""
    firstByte: Union[int, None]
    """Waiting for the response."""

class UploadAddress(TypedDict):
    method: Literal["PUT"]
    """The HTTP method."""
    url: str
    """Send no API key with it: its signature stands for the key that requested it, with the rate limit and IP allowlist of that key. Relative to the API if the installation has no `PUBLIC_URL`."""
    expiresAt: str
    """RFC 3339, UTC, milliseconds."""

class Webhook(TypedDict):
    id: str
    """Its id."""
    object: Literal["webhook"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    name: str
    """The display name."""
    url: str
    """An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the host in punycode."""
    eventTypes: List[str]
    """Event types, all of a segment (`projects.*`), or all (`*`)."""
    filter: Union[WebhookFilter, None]
    """The filter."""
    ignoredKeyIds: List[str]
    """Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps its id. Default: none."""
    includeImports: bool
    """False: changes that are imports (events with `origin: 'import'`) are not delivered. Default true."""
    payload: Literal["full", "thin"]
    """`thin` leaves out `data`, `changes` and `related`."""
    order: Literal["none", "webhook", "object"]
    """`none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A change applies to later events. Default `none`."""
    maxPerMinute: Union[int, None]
    grants: WebhookGrants
    """The scopes that it was granted, by whom and since when."""
    headerNames: List[str]
    """The names of the headers sent with every delivery."""
    status: WebhookStatus
    """The status."""
    disabledReason: Union[str, None]
    """Why nothing more is sent."""
    secrets: List[WebhookSecrets]
    """The secrets that deliveries are signed with."""
    consecutiveFailures: int
    """Failed attempts since the last success."""
    circuit: WebhookCircuit
    """The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response."""
    health: WebhookHealth
    """The state of its endpoint, the next attempt, and what has failed."""
    stats24h: WebhookStats24h
    """Counts of the last 24 hours."""

class WebhookFilterValues(TypedDict):
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""
    status: NotRequired[WebhookFilterValuesStatus]
    """The status."""
    stage: NotRequired[WebhookFilterValuesStage]
    """The stage of the deal."""
    health: NotRequired[WebhookFilterValuesHealth]
    """Whether it is on schedule."""
    priority: NotRequired[WebhookFilterValuesPriority]
    """How urgent it is."""
    projectId: NotRequired[WebhookFilterValuesProjectId]
    """The project that it belongs to."""
    ownerId: NotRequired[WebhookFilterValuesOwnerId]
    """The member who is responsible."""
    companyId: NotRequired[WebhookFilterValuesCompanyId]
    """The company that it belongs to."""
    parentCompanyId: NotRequired[WebhookFilterValuesParentCompanyId]
    """The company that this one is a part of."""
    crmEntityId: NotRequired[WebhookFilterValuesCrmEntityId]
    """The CRM entity that it is about."""
    parentTaskId: NotRequired[WebhookFilterValuesParentTaskId]
    """The task that it is a part of."""
    assigneeIds: NotRequired[WebhookFilterValuesAssigneeIds]
    """The assigned members."""
    memberIds: NotRequired[WebhookFilterValuesMemberIds]
    """Members who work on it."""
    contactIds: NotRequired[WebhookFilterValuesContactIds]
    """Contacts of this deal."""
    crmEntityIds: NotRequired[WebhookFilterValuesCrmEntityIds]
    """CRM entities that it is about."""
    blockedByIds: NotRequired[WebhookFilterValuesBlockedByIds]
    """Tasks that have to be done first."""
    labels: NotRequired[WebhookFilterValuesLabels]
    """Tags to find it by."""
    tags: NotRequired[WebhookFilterValuesTags]
    """Tags to find it by."""
    amount: NotRequired[WebhookFilterValuesAmount]
    """After the event it is in this currency, and above and below these bounds."""

class WebhookFilterValuesInput(TypedDict):
    """Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field."""
    status: NotRequired[WebhookFilterValuesInputStatus]
    """The status."""
    stage: NotRequired[WebhookFilterValuesInputStage]
    """The stage of the deal."""
    health: NotRequired[WebhookFilterValuesInputHealth]
    """Whether it is on schedule."""
    priority: NotRequired[WebhookFilterValuesInputPriority]
    """How urgent it is."""
    projectId: NotRequired[WebhookFilterValuesInputProjectId]
    """The project that it belongs to."""
    ownerId: NotRequired[WebhookFilterValuesInputOwnerId]
    """The member who is responsible."""
    companyId: NotRequired[WebhookFilterValuesInputCompanyId]
    """The company that it belongs to."""
    parentCompanyId: NotRequired[WebhookFilterValuesInputParentCompanyId]
    """The company that this one is a part of."""
    crmEntityId: NotRequired[WebhookFilterValuesInputCrmEntityId]
    """The CRM entity that it is about."""
    parentTaskId: NotRequired[WebhookFilterValuesInputParentTaskId]
    """The task that it is a part of."""
    assigneeIds: NotRequired[WebhookFilterValuesInputAssigneeIds]
    """The assigned members."""
    memberIds: NotRequired[WebhookFilterValuesInputMemberIds]
    """Members who work on it."""
    contactIds: NotRequired[WebhookFilterValuesInputContactIds]
    """Contacts of this deal."""
    crmEntityIds: NotRequired[WebhookFilterValuesInputCrmEntityIds]
    """CRM entities that it is about."""
    blockedByIds: NotRequired[WebhookFilterValuesInputBlockedByIds]
    """Tasks that have to be done first."""
    labels: NotRequired[WebhookFilterValuesInputLabels]
    """Tags to find it by."""
    tags: NotRequired[WebhookFilterValuesInputTags]
    """Tags to find it by."""
    amount: NotRequired[WebhookFilterValuesInputAmount]
    """After the event it is in this currency, and above and below these bounds."""

WebhookStats = TypedDict("WebhookStats", {"object": "Literal[\"webhook_stats\"]", "webhookId": "str", "from": "str", "to": "str", "total": "WebhookStatsTotal", "hours": "List[WebhookStatsHours]"})

class WebhookWithSecret(TypedDict):
    id: str
    """Its id."""
    object: Literal["webhook"]
    """The type of the object."""
    workspaceId: str
    """The workspace that it belongs to."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    createdBy: Actor
    """The actor that created it."""
    updatedBy: Actor
    """The actor that changed it last."""
    deletedAt: Union[str, None]
    name: str
    """The display name."""
    url: str
    """An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the host in punycode."""
    eventTypes: List[str]
    """Event types, all of a segment (`projects.*`), or all (`*`)."""
    filter: Union[WebhookWithSecretFilter, None]
    """The filter."""
    ignoredKeyIds: List[str]
    """Changes made with these keys are not delivered, so that a sync does not receive its own writes. A rotated key keeps its id. Default: none."""
    includeImports: bool
    """False: changes that are imports (events with `origin: 'import'`) are not delivered. Default true."""
    payload: Literal["full", "thin"]
    """`thin` leaves out `data`, `changes` and `related`."""
    order: Literal["none", "webhook", "object"]
    """`none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A change applies to later events. Default `none`."""
    maxPerMinute: Union[int, None]
    grants: WebhookWithSecretGrants
    """The scopes that it was granted, by whom and since when."""
    headerNames: List[str]
    """The names of the headers sent with every delivery."""
    status: WebhookStatus
    """The status."""
    disabledReason: Union[str, None]
    """Why nothing more is sent."""
    secrets: List[WebhookWithSecretSecrets]
    """The secrets that deliveries are signed with."""
    consecutiveFailures: int
    """Failed attempts since the last success."""
    circuit: WebhookWithSecretCircuit
    """The circuit of its endpoint. It opens after several failures in a row: timeouts, 5xx or no response."""
    health: WebhookWithSecretHealth
    """The state of its endpoint, the next attempt, and what has failed."""
    stats24h: WebhookWithSecretStats24h
    """Counts of the last 24 hours."""
    secret: str
    """Shown only in this response."""

class Workspace(TypedDict):
    id: str
    """Its id."""
    object: Literal["workspace"]
    """The type of the object."""
    name: str
    """The display name."""
    slug: str
    """Unique. Lower case, digits, hyphens."""
    timeZone: str
    """IANA time zone."""
    defaultCurrency: str
    """ISO 4217."""
    defaultCountry: Union[str, None]
    holdFiles: bool
    """Uploaded files wait for a virus scanner: nobody reads them before `POST /files/{id}/release`. Changed in the workspace settings only."""
    sandbox: bool
    """Whether it is a sandbox: filled with sample data, which can be put back, and whose keys begin with `wsk_test_`."""
    apiPolicy: WorkspaceApiPolicy
    """The rules of the workspace for its keys."""
    apiPolicyFrom: WorkspaceApiPolicyFrom
    """When each rule starts to deny keys that existed before it; null: since the rule exists."""
    requireSecondFactor: bool
    """Members need two-factor authentication, or sign in at the sign-in provider."""
    requireSecondFactorFrom: Union[str, None]
    rateLimit: Union[WorkspaceRateLimit, None]
    """Its plan: the rate limit of all keys together; null means the default."""
    quotas: WorkspaceQuotas
    """How much the workspace may hold: its quotas, which the operator sets."""
    suspendedAt: Union[str, None]
    limits: WorkspaceLimits
    """The limits of this workspace."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""

class WorkspaceWithUsage(TypedDict):
    id: str
    """Its id."""
    object: Literal["workspace"]
    """The type of the object."""
    name: str
    """The display name."""
    slug: str
    """Unique. Lower case, digits, hyphens."""
    timeZone: str
    """IANA time zone."""
    defaultCurrency: str
    """ISO 4217."""
    defaultCountry: Union[str, None]
    holdFiles: bool
    """Uploaded files wait for a virus scanner: nobody reads them before `POST /files/{id}/release`. Changed in the workspace settings only."""
    sandbox: bool
    """Whether it is a sandbox: filled with sample data, which can be put back, and whose keys begin with `wsk_test_`."""
    apiPolicy: WorkspaceWithUsageApiPolicy
    """The rules of the workspace for its keys."""
    apiPolicyFrom: WorkspaceWithUsageApiPolicyFrom
    """When each rule starts to deny keys that existed before it; null: since the rule exists."""
    requireSecondFactor: bool
    """Members need two-factor authentication, or sign in at the sign-in provider."""
    requireSecondFactorFrom: Union[str, None]
    rateLimit: Union[WorkspaceWithUsageRateLimit, None]
    """Its plan: the rate limit of all keys together; null means the default."""
    quotas: WorkspaceWithUsageQuotas
    """How much the workspace may hold: its quotas, which the operator sets."""
    suspendedAt: Union[str, None]
    limits: WorkspaceWithUsageLimits
    """The limits of this workspace."""
    version: int
    """Increases by one with every change."""
    createdAt: str
    """RFC 3339, UTC, milliseconds."""
    updatedAt: str
    """RFC 3339, UTC, milliseconds."""
    usage: WorkspaceWithUsageUsage
    """How much of each quota is used."""

class AuditEntriesListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    action: NotRequired[List[str]]
    """Any of these: operation names, `tools.call`, `mcp`, `api-keys.rotation_due` or `webhooks.disabled`."""
    outcome: NotRequired[Literal["success", "denied", "failed"]]
    """The outcome."""
    surface: NotRequired[Literal["console", "http", "mcp", "cli", "system"]]
    """From where: the workspace settings in a browser, the HTTP API with a key or with the operator’s token, MCP, the command line, or the service itself."""
    actorId: NotRequired[str]
    """Only entries of what this key or member did."""
    targetId: NotRequired[str]
    """Only entries about this key, webhook or other object."""
    requestId: NotRequired[str]
    """Only entries of this request."""
    search: NotRequired[str]
    """Only entries with this text in action, actor, target, code, address, user agent or request id. Case does not matter."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""

class CommentsBatchInput(TypedDict):
    atomic: NotRequired[bool]
    """All of them or none."""
    items: List[CommentsBatchInputItems]
    """The items to process."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "subject", "body", "fileIds", "externalSource", "externalId", "externalIds", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsCountInput(TypedDict):
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    subjectType: NotRequired[List[Literal["tasks", "projects", "crm-entities", "!tasks", "!projects", "!crm-entities"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    taskId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    projectId: NotRequired[List[str]]
    """Comments on these projects and on their tasks. Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, keys or own ids."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    groupBy: NotRequired[List[Union[Literal["externalSource", "createdAt:month", "updatedAt:month"], str]]]
    """Also count by the values of one field, or of two."""
    timeZone: NotRequired[str]
    """IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s."""

class CommentsCreateInputWithoutExpand(TypedDict):
    taskId: NotRequired[Union[str, None]]
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about."""
    fileIds: NotRequired[Union[List[str], None]]
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CommentsCreateInputExternalIds], None]]
    body: str
    """Markdown."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "subject", "body", "fileIds", "externalSource", "externalId", "externalIds", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CommentsCreateInput(CommentsCreateInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsDeleteInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CommentsDeleteByExternalIdInput(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CommentsGetInputWithoutExpand(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class CommentsGetInput(CommentsGetInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsGetByExternalIdInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class CommentsGetByExternalIdInput(CommentsGetByExternalIdInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsListInputWithoutExpand(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[List[Literal["createdAt", "updatedAt", "-createdAt", "-updatedAt"]]]
    """The sort fields in order of priority; a leading `-` sorts in descending order."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "subject", "body", "fileIds", "externalSource", "externalId", "externalIds", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as `{ id, object, version, externalIds, deletedAt }`."""
    includeTotal: NotRequired[bool]
    """Count all that match: `page.total`."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    subjectType: NotRequired[List[Literal["tasks", "projects", "crm-entities", "!tasks", "!projects", "!crm-entities"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    taskId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    projectId: NotRequired[List[str]]
    """Comments on these projects and on their tasks. Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, keys or own ids."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""

class CommentsListInput(CommentsListInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsPurgeInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""

class CommentsRemoveExternalIdInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""
    source: str
    """The system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CommentsRestoreInputWithoutExpand(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "subject", "body", "fileIds", "externalSource", "externalId", "externalIds", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CommentsRestoreInput(CommentsRestoreInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsSetExternalIdInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CommentsUpdateInputWithoutExpand(TypedDict):
    id: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    body: NotRequired[str]
    """Markdown."""
    fileIds: NotRequired[Union[List[str], CommentsUpdateInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CommentsUpdateInputExternalIds], CommentsUpdateInputExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "subject", "body", "fileIds", "externalSource", "externalId", "externalIds", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CommentsUpdateInput(CommentsUpdateInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CommentsUpsertInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    createOnly: NotRequired[bool]
    """Refuse where it exists."""
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    taskId: NotRequired[Union[str, None]]
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about."""
    fileIds: NotRequired[Union[List[str], CommentsUpsertInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    body: str
    """Markdown."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[CommentsUpsertInputExternalIds], None]]
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "subject", "body", "fileIds", "externalSource", "externalId", "externalIds", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CommentsUpsertInput(CommentsUpsertInputWithoutExpand):
    expand: NotRequired[List[Literal["files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesBatchInput(TypedDict):
    atomic: NotRequired[bool]
    """All of them or none."""
    items: List[CrmEntitiesBatchInputItems]
    """The items to process."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt", "owner", "company", "parentCompany", "contacts", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesCountInput(TypedDict):
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    kind: NotRequired[List[Literal["company", "contact", "deal", "!company", "!contact", "!deal"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    stage: NotRequired[List[Literal["new", "qualified", "proposal", "negotiation", "won", "lost", "none", "!new", "!qualified", "!proposal", "!negotiation", "!won", "!lost", "!none", "any"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty."""
    ownerId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    companyId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or domains. `none`: the field is empty. `any`: it is not empty."""
    parentCompanyId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or domains. `none`: the field is empty. `any`: it is not empty."""
    contactId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    domain: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    email: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    phone: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers with or without a country code. A country code begins with `+`; in a query, write it as `%2B`."""
    amountCurrency: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Currencies of ISO 4217."""
    amountAbove: NotRequired[str]
    """Exclusive; a decimal in the one currency that `amountCurrency` names."""
    amountBelow: NotRequired[str]
    """Exclusive; a decimal in the one currency that `amountCurrency` names."""
    expectedCloseAfter: NotRequired[str]
    """YYYY-MM-DD."""
    expectedCloseBefore: NotRequired[str]
    """YYYY-MM-DD."""
    expectedCloseDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    closedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    closedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    closedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    customFields: NotRequired[Dict[str, CrmEntitiesCountInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""
    groupBy: NotRequired[List[Union[Literal["kind", "stage", "ownerId", "companyId", "parentCompanyId", "contactId", "industry", "labels", "createdAt:month", "updatedAt:month", "closedAt:month", "expectedCloseDate:month"], str]]]
    """Also count by the values of one field, or of two."""
    sum: NotRequired[Literal["amount"]]
    """Also add up this field, amounts by their currency."""
    timeZone: NotRequired[str]
    """IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s."""

class CrmEntitiesCreateInputWithoutExpand(TypedDict):
    kind: CrmKind
    """Of a CRM entity: company, contact or deal."""
    name: NotRequired[str]
    """The display name."""
    domains: NotRequired[Union[List[str], None]]
    website: NotRequired[Union[str, None]]
    """Address of the website."""
    industry: NotRequired[Union[str, None]]
    """The industry of the company."""
    employeeCount: NotRequired[Union[int, None]]
    """The number of employees."""
    emails: NotRequired[Union[List[str], None]]
    phones: NotRequired[Union[List[str], None]]
    """The phone number."""
    address: NotRequired[Union[CrmEntitiesCreateInputAddress, None]]
    """Where the company is."""
    parentCompanyId: NotRequired[Union[str, None]]
    """The company that this one is a part of."""
    firstName: NotRequired[Union[str, None]]
    """Given name."""
    lastName: NotRequired[Union[str, None]]
    """Family name."""
    jobTitle: NotRequired[Union[str, None]]
    """The job title of the contact."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    stage: NotRequired[DealStage]
    """The stage of the deal."""
    amount: NotRequired[Union[CrmEntitiesCreateInputAmount, None]]
    """The value of the deal."""
    probability: NotRequired[int]
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: NotRequired[Union[str, None]]
    lostReason: NotRequired[Union[str, None]]
    contactIds: NotRequired[Union[List[str], None]]
    """Contacts of this deal."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    labels: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    fileIds: NotRequired[Union[List[str], None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CrmEntitiesCreateInputExternalIds], None]]
    imported: NotRequired[CrmEntityImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt", "owner", "company", "parentCompany", "contacts", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CrmEntitiesCreateInput(CrmEntitiesCreateInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesCreateCommentInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    body: str
    """Markdown."""
    fileIds: NotRequired[List[str]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[List[CrmEntitiesCreateCommentInputExternalIds]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class CrmEntitiesDeleteInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CrmEntitiesDeleteByExternalIdInput(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CrmEntitiesDeleteCommentInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CrmEntitiesGetInputWithoutExpand(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class CrmEntitiesGetInput(CrmEntitiesGetInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesGetByExternalIdInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class CrmEntitiesGetByExternalIdInput(CrmEntitiesGetByExternalIdInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesGetCommentInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""

class CrmEntitiesHistoryInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""
    field: NotRequired[List[Literal["imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt"]]]
    """Changes of these fields only."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""

class CrmEntitiesListInputWithoutExpand(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[List[Literal["createdAt", "updatedAt", "name", "amount", "-createdAt", "-updatedAt", "-name", "-amount"]]]
    """The sort fields in order of priority; a leading `-` sorts in descending order."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt", "owner", "company", "parentCompany", "contacts", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as `{ id, object, version, externalIds, deletedAt }`."""
    includeTotal: NotRequired[bool]
    """Count all that match: `page.total`."""
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    kind: NotRequired[List[Literal["company", "contact", "deal", "!company", "!contact", "!deal"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    stage: NotRequired[List[Literal["new", "qualified", "proposal", "negotiation", "won", "lost", "none", "!new", "!qualified", "!proposal", "!negotiation", "!won", "!lost", "!none", "any"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty."""
    ownerId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    companyId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or domains. `none`: the field is empty. `any`: it is not empty."""
    parentCompanyId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or domains. `none`: the field is empty. `any`: it is not empty."""
    contactId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    domain: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    email: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    phone: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers with or without a country code. A country code begins with `+`; in a query, write it as `%2B`."""
    amountCurrency: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Currencies of ISO 4217."""
    amountAbove: NotRequired[str]
    """Exclusive; a decimal in the one currency that `amountCurrency` names."""
    amountBelow: NotRequired[str]
    """Exclusive; a decimal in the one currency that `amountCurrency` names."""
    expectedCloseAfter: NotRequired[str]
    """YYYY-MM-DD."""
    expectedCloseBefore: NotRequired[str]
    """YYYY-MM-DD."""
    expectedCloseDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    closedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    closedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    closedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    customFields: NotRequired[Dict[str, CrmEntitiesListInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""

class CrmEntitiesListInput(CrmEntitiesListInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesListCommentsInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[Literal["createdAt", "-createdAt"]]
    """The sort order; a leading `-` sorts in descending order."""

class CrmEntitiesMergeInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    sourceId: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""

class CrmEntitiesPurgeInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""

class CrmEntitiesRemoveExternalIdInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    source: str
    """The system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CrmEntitiesRestoreInputWithoutExpand(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt", "owner", "company", "parentCompany", "contacts", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CrmEntitiesRestoreInput(CrmEntitiesRestoreInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesSetExternalIdInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CrmEntitiesUpdateInputWithoutExpand(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    name: NotRequired[str]
    """The display name."""
    domains: NotRequired[Union[List[str], CrmEntitiesUpdateInputDomains2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the workspace."""
    website: NotRequired[Union[str, None]]
    """Address of the website."""
    industry: NotRequired[Union[str, None]]
    """The industry of the company."""
    employeeCount: NotRequired[Union[int, None]]
    """The number of employees."""
    emails: NotRequired[Union[List[str], CrmEntitiesUpdateInputEmails2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: NotRequired[Union[List[str], CrmEntitiesUpdateInputPhones2, None]]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: NotRequired[Union[CrmEntitiesUpdateInputAddress, None]]
    """Where the company is."""
    parentCompanyId: NotRequired[Union[str, None]]
    """The company that this one is a part of."""
    firstName: NotRequired[Union[str, None]]
    """Given name."""
    lastName: NotRequired[Union[str, None]]
    """Family name."""
    jobTitle: NotRequired[Union[str, None]]
    """The job title of the contact."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    stage: NotRequired[DealStage]
    """The stage of the deal."""
    amount: NotRequired[Union[CrmEntitiesUpdateInputAmount, None]]
    """The value of the deal."""
    probability: NotRequired[int]
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: NotRequired[Union[str, None]]
    lostReason: NotRequired[Union[str, None]]
    contactIds: NotRequired[Union[List[str], CrmEntitiesUpdateInputContactIds2, None]]
    """Contacts of this deal."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    labels: NotRequired[Union[List[str], CrmEntitiesUpdateInputLabels2, None]]
    """Tags to find it by."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    fileIds: NotRequired[Union[List[str], CrmEntitiesUpdateInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[CrmEntitiesUpdateInputExternalIds], CrmEntitiesUpdateInputExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[CrmEntityImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt", "owner", "company", "parentCompany", "contacts", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CrmEntitiesUpdateInput(CrmEntitiesUpdateInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CrmEntitiesUpdateCommentInput(TypedDict):
    id: str
    """Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    body: NotRequired[str]
    """Markdown."""
    fileIds: NotRequired[List[str]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[List[CrmEntitiesUpdateCommentInputExternalIds]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class CrmEntitiesUpsertInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    createOnly: NotRequired[bool]
    """Refuse where it exists."""
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    match: NotRequired[Literal["domains", "emails", "phones"]]
    """If no object has the own id: take the one of the same kind that has one of the given values in this field, and give it the own id as well."""
    kind: CrmKind
    """Of a CRM entity: company, contact or deal."""
    name: NotRequired[str]
    """The display name."""
    domains: NotRequired[Union[List[str], CrmEntitiesUpsertInputDomains2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one company of the workspace."""
    website: NotRequired[Union[str, None]]
    """Address of the website."""
    industry: NotRequired[Union[str, None]]
    """The industry of the company."""
    employeeCount: NotRequired[Union[int, None]]
    """The number of employees."""
    emails: NotRequired[Union[List[str], CrmEntitiesUpsertInputEmails2, None]]
    """Stored in lower case and in the script that was sent, compared in punycode. Each belongs to one contact of the workspace; companies and deals may have it as well."""
    phones: NotRequired[Union[List[str], CrmEntitiesUpsertInputPhones2, None]]
    """Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace."""
    address: NotRequired[Union[CrmEntitiesUpsertInputAddress, None]]
    """Where the company is."""
    parentCompanyId: NotRequired[Union[str, None]]
    """The company that this one is a part of."""
    firstName: NotRequired[Union[str, None]]
    """Given name."""
    lastName: NotRequired[Union[str, None]]
    """Family name."""
    jobTitle: NotRequired[Union[str, None]]
    """The job title of the contact."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    stage: NotRequired[DealStage]
    """The stage of the deal."""
    amount: NotRequired[Union[CrmEntitiesUpsertInputAmount, None]]
    """The value of the deal."""
    probability: NotRequired[int]
    """Follows the stage unless it is given; 100 when won, 0 when lost."""
    expectedCloseDate: NotRequired[Union[str, None]]
    lostReason: NotRequired[Union[str, None]]
    contactIds: NotRequired[Union[List[str], CrmEntitiesUpsertInputContactIds2, None]]
    """Contacts of this deal."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    labels: NotRequired[Union[List[str], CrmEntitiesUpsertInputLabels2, None]]
    """Tags to find it by."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    fileIds: NotRequired[Union[List[str], CrmEntitiesUpsertInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    imported: NotRequired[CrmEntityImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[CrmEntitiesUpsertInputExternalIds], None]]
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "kind", "name", "domains", "website", "industry", "employeeCount", "emails", "phones", "address", "parentCompanyId", "ownerId", "labels", "description", "fileIds", "customFields", "externalSource", "externalId", "externalIds", "mergedIntoId", "firstName", "lastName", "jobTitle", "companyId", "stage", "amount", "probability", "expectedCloseDate", "lostReason", "contactIds", "closedAt", "owner", "company", "parentCompany", "contacts", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class CrmEntitiesUpsertInput(CrmEntitiesUpsertInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "company", "parentCompany", "contacts", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class CustomFieldsArchiveInput(TypedDict):
    id: str
    """Its id."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class CustomFieldsCreateInput(TypedDict):
    key: str
    """The name in `customFields`. It never changes."""
    target: CustomFieldTarget
    """What it is about."""
    type: Literal["text", "number", "date", "boolean", "select", "multi_select", "user", "url"]
    """The kind."""
    label: str
    """The display name."""
    options: NotRequired[List[str]]
    """Required for `select` and `multi_select`; no other type takes options."""
    required: NotRequired[bool]
    """An object cannot be created without a value."""

class CustomFieldsGetInput(TypedDict):
    id: str
    """Its id."""

class CustomFieldsListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    target: NotRequired[List[CustomFieldTarget]]
    """Any of these."""
    includeArchived: NotRequired[bool]
    """Archived ones as well."""

class CustomFieldsUnarchiveInput(TypedDict):
    id: str
    """Its id."""

class CustomFieldsUpdateInput(TypedDict):
    id: str
    """Its id."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    label: NotRequired[str]
    """The display name."""
    options: NotRequired[List[str]]
    """Required for `select` and `multi_select`; no other type takes options."""
    required: NotRequired[bool]
    """An object cannot be created without a value."""

class DeliveriesAttemptsInput(TypedDict):
    id: str
    """Its id."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""

class DeliveriesCancelReplayJobInput(TypedDict):
    id: str
    """Its id."""

class DeliveriesGetInput(TypedDict):
    id: str
    """Its id."""

class DeliveriesGetReplayJobInput(TypedDict):
    id: str
    """Its id."""

class DeliveriesListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    status: NotRequired[List[DeliveryStatus]]
    """Any of these."""
    webhookId: NotRequired[str]
    """The webhook that it is sent to."""
    eventTypes: NotRequired[List[str]]
    """Event types, or all of a segment (`projects.*`)."""
    eventId: NotRequired[str]
    """The recorded event."""
    requestId: NotRequired[str]
    """The request that caused the events: `X-Request-Id` of its response. If many requests share it, their newest 1000 events count."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""

class DeliveriesReplayInput(TypedDict):
    id: str
    """Its id."""

class DeliveriesReplayManyInput(TypedDict):
    filter: DeliveriesReplayManyInputFilter
    """The filter."""
    perMinute: NotRequired[int]
    """The maximum of deliveries restarted a minute, across restarts of a process. Default: no limit. The limits of their webhooks decide how fast they are then sent."""
    dryRun: NotRequired[bool]
    """Only count what would be done."""

class DocumentsBatchInput(TypedDict):
    atomic: NotRequired[bool]
    """All of them or none."""
    items: List[DocumentsBatchInputItems]
    """The items to process."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "title", "content", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum", "project", "crmEntity", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsCountInput(TypedDict):
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["draft", "published", "archived", "!draft", "!published", "!archived"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    includeArchived: NotRequired[bool]
    """Archived ones as well; those that `status` names are always included."""
    tags: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    tagsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    folder: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    projectId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, keys or own ids. `none`: the field is empty. `any`: it is not empty."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    groupBy: NotRequired[List[Union[Literal["status", "folder", "projectId", "crmEntityId", "tags", "createdAt:month", "updatedAt:month"], str]]]
    """Also count by the values of one field, or of two."""
    timeZone: NotRequired[str]
    """IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s."""

class DocumentsCreateInputWithoutExpand(TypedDict):
    title: str
    """The display name."""
    content: NotRequired[str]
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: NotRequired[Union[str, None]]
    """A short description."""
    folder: NotRequired[Union[str, None]]
    tags: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    status: NotRequired[DocumentStatus]
    """The status."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: NotRequired[Union[List[str], None]]
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[DocumentsCreateInputExternalIds], None]]
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "title", "content", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum", "project", "crmEntity", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class DocumentsCreateInput(DocumentsCreateInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsDeleteInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class DocumentsDeleteByExternalIdInput(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class DocumentsEditInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    section: NotRequired[str]
    """Edit only this section, by its number in the outline or its heading. Other text stays as it is."""
    edits: List[DocumentsEditInputEdits]
    """Made in this order."""

class DocumentsGetInputWithoutExpand(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class DocumentsGetInput(DocumentsGetInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsGetByExternalIdInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class DocumentsGetByExternalIdInput(DocumentsGetByExternalIdInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsHistoryInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""
    field: NotRequired[List[Literal["imported", "title", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum"]]]
    """Changes of these fields only."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""

class DocumentsListInputWithoutExpand(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[List[Literal["createdAt", "updatedAt", "title", "-createdAt", "-updatedAt", "-title"]]]
    """The sort fields in order of priority; a leading `-` sorts in descending order."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "title", "content", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum", "project", "crmEntity", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as `{ id, object, version, externalIds, deletedAt }`."""
    includeTotal: NotRequired[bool]
    """Count all that match: `page.total`."""
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["draft", "published", "archived", "!draft", "!published", "!archived"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    includeArchived: NotRequired[bool]
    """Archived ones as well; those that `status` names are always included."""
    tags: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    tagsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    folder: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    projectId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, keys or own ids. `none`: the field is empty. `any`: it is not empty."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""

class DocumentsListInput(DocumentsListInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsPurgeInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""

class DocumentsReadContentInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    section: NotRequired[str]
    """The number of a section in the outline, `2.1`, or its heading, `Opening hours` or `## Opening hours`. Its subsections are included. Cannot be combined with lines."""
    fromLine: NotRequired[int]
    """The first line, counted from 1."""
    toLine: NotRequired[int]
    """The last line. A value beyond the end means the last line."""
    maxBytes: NotRequired[int]
    """The maximum bytes of the whole lines in UTF-8; at least one line is returned. `nextLine` is where to continue."""

class DocumentsRemoveExternalIdInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    source: str
    """The system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class DocumentsRestoreInputWithoutExpand(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "title", "content", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum", "project", "crmEntity", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class DocumentsRestoreInput(DocumentsRestoreInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsSetExternalIdInput(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class DocumentsUpdateInputWithoutExpand(TypedDict):
    id: str
    """Its id, or your own id, `ext:wiki/42`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    title: NotRequired[str]
    """The display name."""
    content: NotRequired[str]
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: NotRequired[Union[str, None]]
    """A short description."""
    folder: NotRequired[Union[str, None]]
    tags: NotRequired[Union[List[str], DocumentsUpdateInputTags2, None]]
    """Tags to find it by."""
    status: NotRequired[DocumentStatus]
    """The status."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: NotRequired[Union[List[str], DocumentsUpdateInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[DocumentsUpdateInputExternalIds], DocumentsUpdateInputExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "title", "content", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum", "project", "crmEntity", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class DocumentsUpdateInput(DocumentsUpdateInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class DocumentsUpsertInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    createOnly: NotRequired[bool]
    """Refuse where it exists."""
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    title: str
    """The display name."""
    content: NotRequired[str]
    """Markdown, at most 1048576 bytes in UTF-8. Lists include it if `fields` names it, at most 20 per page; events and batch responses omit it."""
    summary: NotRequired[Union[str, None]]
    """A short description."""
    folder: NotRequired[Union[str, None]]
    tags: NotRequired[Union[List[str], DocumentsUpsertInputTags2, None]]
    """Tags to find it by."""
    status: NotRequired[DocumentStatus]
    """The status."""
    crmEntityId: NotRequired[Union[str, None]]
    """The CRM entity that it is about. A document has this or `projectId`, or neither."""
    projectId: NotRequired[Union[str, None]]
    """The project that it belongs to. A document has this or `crmEntityId`, or neither."""
    fileIds: NotRequired[Union[List[str], DocumentsUpsertInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[DocumentsUpsertInputExternalIds], None]]
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "title", "content", "summary", "folder", "tags", "status", "crmEntityId", "projectId", "fileIds", "externalSource", "externalId", "externalIds", "wordCount", "checksum", "project", "crmEntity", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class DocumentsUpsertInput(DocumentsUpsertInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "crmEntity", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class EventTypesTriggerInput(TypedDict):
    eventType: str
    """The event type."""
    objectId: NotRequired[str]
    """The object that the event is about. Not for events about comments, dead letters and the workspace, which are made from an example."""
    webhookId: NotRequired[str]
    """Sends it to this webhook only, which must subscribe to the event type."""

class EventsGetInput(TypedDict):
    id: str
    """Its id."""

class EventsListInput(TypedDict):
    after: NotRequired[int]
    """Default: the oldest kept event (30 days). An older position returns 410 `cursor_expired`. A position that a restore from a backup has undone returns 410 `feed_rewound`, and one beyond the end of the feed returns 400."""
    occurredAfter: NotRequired[str]
    """Instead of `after`: starts at the first kept event after this time. A time in the future is the end of the feed: no events, and in `lastSequence` the position from which to go on."""
    eventTypes: NotRequired[List[str]]
    """Event types, or all of a segment (`projects.*`). Default: all that the key may read."""
    resourceId: NotRequired[str]
    """Only events whose `resource` is this object: of a task, a project or a CRM entity also those of the comments on it."""
    actorId: NotRequired[str]
    """Only events of what this API key or this member has done."""
    search: NotRequired[str]
    """Only events with this text, in names and values of any field. Case does not matter."""
    limit: NotRequired[int]
    """The maximum number of events."""
    wait: NotRequired[int]
    """Seconds to wait if there is no event yet. Under load, it may respond at once."""

class FilesCreateInput(TypedDict):
    name: str
    """With its ending, without folders."""
    bytes: int
    """Its size."""
    type: NotRequired[str]
    """Media type in lower case without parameters, such as `application/pdf`. Bytes of another type are rejected; `application/octet-stream` takes any."""
    sha256: NotRequired[str]
    """SHA-256 of its bytes, in hex."""

class FilesCreateDownloadAddressInput(TypedDict):
    id: str
    """Its id."""
    expiresInSeconds: NotRequired[int]
    """How long it is valid."""

class FilesDeleteInput(TypedDict):
    id: str
    """Its id."""

class FilesDownloadInput(TypedDict):
    id: str
    """Its id."""

class FilesGetInput(TypedDict):
    id: str
    """Its id."""

class FilesListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[Literal["createdAt", "-createdAt"]]
    """The sort order; a leading `-` sorts in descending order."""
    status: NotRequired[List[FileStatus]]
    """Any of these."""
    attached: NotRequired[bool]
    """Only files that an object names, or only those that none does."""
    deleted: NotRequired[bool]
    """Deleted ones in place of the others."""

class FilesPurgeInput(TypedDict):
    id: str
    """Its id."""

class FilesQuarantineInput(TypedDict):
    id: str
    """Its id."""
    reason: NotRequired[str]
    """What was found, for people."""

class FilesReleaseInput(TypedDict):
    id: str
    """Its id."""

class FilesRestoreInput(TypedDict):
    id: str
    """Its id."""

class FilesUploadInput(TypedDict):
    id: str
    """Its id."""

class JobsCancelInput(TypedDict):
    id: str
    """Its id."""

class JobsCreateInput(TypedDict):
    kind: Literal["export", "import", "update", "delete"]
    """What the job does."""
    resources: NotRequired[List[Literal["members", "custom-fields", "files", "crm-entities", "projects", "tasks", "documents", "comments"]]]
    """What is exported. Default: all that the key may read."""
    resource: NotRequired[Literal["projects", "tasks", "crm-entities", "documents"]]
    """The collection. Of every kind but an `export`."""
    filter: NotRequired[Dict[str, Any]]
    """Of an `update` or a `delete`: which objects, by the filters of the list of `resource`, several values of one as a JSON array. `{'ids':['…']}`, `{'status':['done'],'updatedBefore':'…'}`."""
    changes: NotRequired[Dict[str, Any]]
    """Of an `update`: the changes, as the body of `PATCH /{resource}/{id}`."""
    confirmedTotal: NotRequired[int]
    """Of an `update` or a `delete`: no more objects than this are changed. Required unless it is a dry run."""
    format: NotRequired[Literal["ndjson", "csv"]]
    """Of an `import`: JSON lines, each the body of a request that creates an object, or CSV with the names of the columns in its first line. Either may be compressed with gzip."""
    text: NotRequired[str]
    """Of an `import`: the rows themselves."""
    fileId: NotRequired[str]
    """Of an `import`: an uploaded file with the rows, in place of `text`. Needs `files:read`."""
    charset: NotRequired[Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-1", "iso-8859-15"]]
    """Of an `import`. Default: as its byte order mark says, otherwise `utf-8`."""
    delimiter: NotRequired[Literal[",", ";", "\t", "|"]]
    """Of an `import` of CSV. Default: the one that the first line has most of."""
    mapping: NotRequired[Dict[str, Union[Union[str, JobsCreateInputMapping2], None]]]
    """Of an `import` of CSV: the field of each column; null leaves a column out, and no column may be missing. Default: columns have the names of their fields."""
    defaults: NotRequired[Dict[str, Any]]
    """Of an `import`: values of fields that a row does not have, such as `{'kind':'company','externalSource':'erp'}`."""
    dryRun: NotRequired[bool]
    """An `update` or a `delete` only counts the objects, in the response. An `import` checks each batch of rows by itself, and keeps nothing."""

class JobsGetInput(TypedDict):
    id: str
    """Its id."""

class JobsListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    kind: NotRequired[List[Literal["export", "import", "update", "delete"]]]
    """Any of these."""
    status: NotRequired[List[JobStatus]]
    """Any of these."""

class JobsRefusalsInput(TypedDict):
    id: str
    """Its id."""

class JobsResultInput(TypedDict):
    id: str
    """Its id."""

class MeRotateInput(TypedDict):
    overlapHours: NotRequired[int]
    """Hours for which the old secret keeps working."""

class MembersGetInput(TypedDict):
    id: str
    """Its id, its email, or `me`: the key’s owner."""

class MembersListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[Literal["createdAt", "-createdAt", "updatedAt", "-updatedAt", "name", "-name"]]
    """The sort order; a leading `-` sorts in descending order."""
    role: NotRequired[List[Literal["owner", "admin", "member", "viewer"]]]
    """Any of these."""
    status: NotRequired[List[MemberStatus]]
    """Any of these."""
    q: NotRequired[str]
    """A part of the name or the email."""
    email: NotRequired[List[str]]
    """Any of these, whole; capitals do not matter."""
    ids: NotRequired[List[str]]
    """Any of these."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as well, as their id, version and time of deletion."""

class ProjectsArchiveInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""

class ProjectsBatchInput(TypedDict):
    atomic: NotRequired[bool]
    """All of them or none."""
    items: List[ProjectsBatchInputItems]
    """The items to process."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt", "owner", "members", "company", "taskCounts"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsCountInput(TypedDict):
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["planned", "active", "paused", "completed", "cancelled", "!planned", "!active", "!paused", "!completed", "!cancelled"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    health: NotRequired[List[Literal["on_track", "at_risk", "off_track", "none", "!on_track", "!at_risk", "!off_track", "!none", "any"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty."""
    priority: NotRequired[List[Literal["none", "low", "medium", "high", "urgent", "!none", "!low", "!medium", "!high", "!urgent"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    ownerId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    memberId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    companyId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or domains. `none`: the field is empty. `any`: it is not empty."""
    startAfter: NotRequired[str]
    """YYYY-MM-DD."""
    startBefore: NotRequired[str]
    """YYYY-MM-DD."""
    startDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    dueAfter: NotRequired[str]
    """YYYY-MM-DD."""
    dueBefore: NotRequired[str]
    """YYYY-MM-DD."""
    dueDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    completedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    archivedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    archivedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    archivedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    includeArchived: NotRequired[bool]
    """Archived ones as well; a filter by `archivedAt` finds them anyway."""
    customFields: NotRequired[Dict[str, ProjectsCountInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""
    groupBy: NotRequired[List[Union[Literal["status", "health", "priority", "ownerId", "memberId", "companyId", "labels", "createdAt:month", "updatedAt:month", "completedAt:month", "archivedAt:month", "startDate:month", "dueDate:month"], str]]]
    """Also count by the values of one field, or of two."""
    timeZone: NotRequired[str]
    """IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s."""

class ProjectsCreateInputWithoutExpand(TypedDict):
    key: NotRequired[str]
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[ProjectStatus]
    """The status."""
    health: NotRequired[Union[Literal["on_track", "at_risk", "off_track"], None]]
    """Whether it is on schedule."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    memberIds: NotRequired[Union[List[str], None]]
    """Members who work on it."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    labels: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[ProjectsCreateInputExternalIds], None]]
    imported: NotRequired[ProjectImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt", "owner", "members", "company", "taskCounts"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class ProjectsCreateInput(ProjectsCreateInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsCreateCommentInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    body: str
    """Markdown."""
    fileIds: NotRequired[List[str]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[List[ProjectsCreateCommentInputExternalIds]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class ProjectsDeleteInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class ProjectsDeleteByExternalIdInput(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class ProjectsDeleteCommentInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class ProjectsGetInputWithoutExpand(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class ProjectsGetInput(ProjectsGetInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsGetByExternalIdInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class ProjectsGetByExternalIdInput(ProjectsGetByExternalIdInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsGetCommentInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""

class ProjectsHistoryInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""
    field: NotRequired[List[Literal["imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt"]]]
    """Changes of these fields only."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""

class ProjectsListInputWithoutExpand(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[List[Literal["createdAt", "updatedAt", "name", "dueDate", "priority", "-createdAt", "-updatedAt", "-name", "-dueDate", "-priority"]]]
    """The sort fields in order of priority; a leading `-` sorts in descending order."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt", "owner", "members", "company", "taskCounts"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as `{ id, object, version, externalIds, deletedAt }`."""
    includeTotal: NotRequired[bool]
    """Count all that match: `page.total`."""
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["planned", "active", "paused", "completed", "cancelled", "!planned", "!active", "!paused", "!completed", "!cancelled"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    health: NotRequired[List[Literal["on_track", "at_risk", "off_track", "none", "!on_track", "!at_risk", "!off_track", "!none", "any"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty."""
    priority: NotRequired[List[Literal["none", "low", "medium", "high", "urgent", "!none", "!low", "!medium", "!high", "!urgent"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    ownerId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    memberId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    companyId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids or domains. `none`: the field is empty. `any`: it is not empty."""
    startAfter: NotRequired[str]
    """YYYY-MM-DD."""
    startBefore: NotRequired[str]
    """YYYY-MM-DD."""
    startDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    dueAfter: NotRequired[str]
    """YYYY-MM-DD."""
    dueBefore: NotRequired[str]
    """YYYY-MM-DD."""
    dueDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    completedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    archivedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    archivedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    archivedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    includeArchived: NotRequired[bool]
    """Archived ones as well; a filter by `archivedAt` finds them anyway."""
    customFields: NotRequired[Dict[str, ProjectsListInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""

class ProjectsListInput(ProjectsListInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsListCommentsInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[Literal["createdAt", "-createdAt"]]
    """The sort order; a leading `-` sorts in descending order."""

class ProjectsListTasksInputWithoutExpand(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[List[Literal["createdAt", "updatedAt", "title", "dueDate", "priority", "position", "-createdAt", "-updatedAt", "-title", "-dueDate", "-priority", "-position"]]]
    """The sort fields in order of priority; a leading `-` sorts in descending order."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as `{ id, object, version, externalIds, deletedAt }`."""
    includeTotal: NotRequired[bool]
    """Count all that match: `page.total`."""
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["backlog", "todo", "in_progress", "blocked", "done", "cancelled", "!backlog", "!todo", "!in_progress", "!blocked", "!done", "!cancelled"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    priority: NotRequired[List[Literal["none", "low", "medium", "high", "urgent", "!none", "!low", "!medium", "!high", "!urgent"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    assigneeId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    parentTaskId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    blockedById: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    startAfter: NotRequired[str]
    """YYYY-MM-DD."""
    startBefore: NotRequired[str]
    """YYYY-MM-DD."""
    startDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    dueAfter: NotRequired[str]
    """YYYY-MM-DD."""
    dueBefore: NotRequired[str]
    """YYYY-MM-DD."""
    dueDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    completedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    customFields: NotRequired[Dict[str, ProjectsListTasksInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""

class ProjectsListTasksInput(ProjectsListTasksInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsPurgeInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""

class ProjectsRemoveExternalIdInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    source: str
    """The system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class ProjectsRestoreInputWithoutExpand(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt", "owner", "members", "company", "taskCounts"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class ProjectsRestoreInput(ProjectsRestoreInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsSetExternalIdInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class ProjectsUnarchiveInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""

class ProjectsUpdateInputWithoutExpand(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    key: NotRequired[str]
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: NotRequired[str]
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[ProjectStatus]
    """The status."""
    health: NotRequired[Union[Literal["on_track", "at_risk", "off_track"], None]]
    """Whether it is on schedule."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    memberIds: NotRequired[Union[List[str], ProjectsUpdateInputMemberIds2, None]]
    """Members who work on it."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    labels: NotRequired[Union[List[str], ProjectsUpdateInputLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[ProjectsUpdateInputExternalIds], ProjectsUpdateInputExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[ProjectImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt", "owner", "members", "company", "taskCounts"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class ProjectsUpdateInput(ProjectsUpdateInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class ProjectsUpdateCommentInput(TypedDict):
    id: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    body: NotRequired[str]
    """Markdown."""
    fileIds: NotRequired[List[str]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[List[ProjectsUpdateCommentInputExternalIds]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class ProjectsUpsertInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    createOnly: NotRequired[bool]
    """Refuse where it exists."""
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    key: NotRequired[str]
    """Two to ten capitals, unique in the workspace. A new key gives all tasks of the project new identifiers, each as a separate change. The former identifiers still find them."""
    name: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[ProjectStatus]
    """The status."""
    health: NotRequired[Union[Literal["on_track", "at_risk", "off_track"], None]]
    """Whether it is on schedule."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    ownerId: NotRequired[Union[str, None]]
    """The member who is responsible."""
    memberIds: NotRequired[Union[List[str], ProjectsUpsertInputMemberIds2, None]]
    """Members who work on it."""
    companyId: NotRequired[Union[str, None]]
    """The company that it belongs to."""
    labels: NotRequired[Union[List[str], ProjectsUpsertInputLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    imported: NotRequired[ProjectImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[ProjectsUpsertInputExternalIds], None]]
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "key", "name", "description", "status", "health", "priority", "ownerId", "memberIds", "companyId", "labels", "startDate", "dueDate", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "archivedAt", "owner", "members", "company", "taskCounts"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class ProjectsUpsertInput(ProjectsUpsertInputWithoutExpand):
    expand: NotRequired[List[Literal["owner", "members", "company", "taskCounts"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class RequestsGetInput(TypedDict):
    id: str
    """Its id."""

class RequestsListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    afterId: NotRequired[str]
    """To follow the log: only requests that were recorded after the one with this id, oldest first. Those of the last 2 seconds are left to the next page, so that none is missed."""
    apiKeyId: NotRequired[str]
    """Only requests of this key."""
    memberId: NotRequired[str]
    """Only requests of keys that this member created or owns."""
    objectId: NotRequired[str]
    """Only requests about this object."""
    requestId: NotRequired[str]
    """The request that made the change."""
    method: NotRequired[List[Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]]]
    """Any of these."""
    operation: NotRequired[List[str]]
    """Any of these: names of operations or MCP tools, or `mcp`."""
    surface: NotRequired[Literal["http", "mcp"]]
    """The surface of the request."""
    status: NotRequired[List[str]]
    """Any of these: a status such as `429`, or a class such as `4xx`."""
    code: NotRequired[List[str]]
    """Any of these codes of errors."""
    outcome: NotRequired[Literal["success", "refused"]]
    """`refused`: a status of 400 or above, or a rejected tool call over MCP."""
    path: NotRequired[str]
    """Only paths that begin with this."""
    ip: NotRequired[str]
    """Only requests from this address."""
    search: NotRequired[str]
    """Only requests with this text in path, operation, code, detail, request id or address."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""

class ResourcesListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""

class ResourcesReadInput(TypedDict):
    uri: str
    """`workspace://…`, as in the list."""

class SearchQueryInput(TypedDict):
    q: str
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    types: NotRequired[List[Literal["projects", "tasks", "crm-entities", "documents"]]]
    """Default: all that the key may read."""
    includeArchived: NotRequired[bool]
    """Archived projects and archived documents as well."""
    limit: NotRequired[int]
    """The maximum number of events."""

class TasksBatchInput(TypedDict):
    atomic: NotRequired[bool]
    """All of them or none."""
    items: List[TasksBatchInputItems]
    """The items to process."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksCountInput(TypedDict):
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["backlog", "todo", "in_progress", "blocked", "done", "cancelled", "!backlog", "!todo", "!in_progress", "!blocked", "!done", "!cancelled"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    priority: NotRequired[List[Literal["none", "low", "medium", "high", "urgent", "!none", "!low", "!medium", "!high", "!urgent"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    projectId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, keys or own ids."""
    assigneeId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    parentTaskId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    blockedById: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    startAfter: NotRequired[str]
    """YYYY-MM-DD."""
    startBefore: NotRequired[str]
    """YYYY-MM-DD."""
    startDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    dueAfter: NotRequired[str]
    """YYYY-MM-DD."""
    dueBefore: NotRequired[str]
    """YYYY-MM-DD."""
    dueDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    completedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    customFields: NotRequired[Dict[str, TasksCountInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""
    groupBy: NotRequired[List[Union[Literal["status", "priority", "projectId", "assigneeId", "labels", "parentTaskId", "crmEntityId", "createdAt:month", "updatedAt:month", "completedAt:month", "startDate:month", "dueDate:month"], str]]]
    """Also count by the values of one field, or of two."""
    sum: NotRequired[Literal["estimateMinutes"]]
    """Also add up this field, amounts by their currency."""
    timeZone: NotRequired[str]
    """IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s."""

class TasksCreateInputWithoutExpand(TypedDict):
    projectId: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    title: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[TaskStatus]
    """The status."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    assigneeIds: NotRequired[Union[List[str], None]]
    """The assigned members."""
    parentTaskId: NotRequired[Union[str, None]]
    """The task that it is a part of."""
    blockedByIds: NotRequired[Union[List[str], None]]
    """Tasks that have to be done first."""
    crmEntityIds: NotRequired[Union[List[str], None]]
    """CRM entities that it is about."""
    fileIds: NotRequired[Union[List[str], None]]
    labels: NotRequired[Union[List[str], None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    estimateMinutes: NotRequired[Union[int, None]]
    """The estimated time."""
    position: NotRequired[float]
    """Its position among others; new ones come last."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[TasksCreateInputExternalIds], None]]
    imported: NotRequired[TaskImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class TasksCreateInput(TasksCreateInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksCreateCommentInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    body: str
    """Markdown."""
    fileIds: NotRequired[List[str]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[List[TasksCreateCommentInputExternalIds]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class TasksDeleteInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class TasksDeleteByExternalIdInput(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class TasksDeleteCommentInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class TasksGetInputWithoutExpand(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class TasksGetInput(TasksGetInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksGetByExternalIdInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""

class TasksGetByExternalIdInput(TasksGetByExternalIdInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksGetCommentInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""

class TasksHistoryInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    includeDeleted: NotRequired[bool]
    """Included even if it is deleted, or hidden with its project."""
    field: NotRequired[List[Literal["imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt"]]]
    """Changes of these fields only."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""

class TasksListInputWithoutExpand(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[List[Literal["createdAt", "updatedAt", "title", "dueDate", "priority", "position", "-createdAt", "-updatedAt", "-title", "-dueDate", "-priority", "-position"]]]
    """The sort fields in order of priority; a leading `-` sorts in descending order."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""
    includeDeleted: NotRequired[bool]
    """Deleted ones as `{ id, object, version, externalIds, deletedAt }`."""
    includeTotal: NotRequired[bool]
    """Count all that match: `page.total`."""
    q: NotRequired[str]
    """Words, or parts of the name; a phrase in quotation marks. At least two characters, or one Chinese, Japanese, Korean or Thai character."""
    ids: NotRequired[List[str]]
    """Only the objects with these ids."""
    createdAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    updatedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    createdBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    updatedBy: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids of keys or of members; `me` is the key of the request."""
    imported: NotRequired[Literal["none", "any"]]
    """`any`: imported with its history; `none`: not."""
    importedEmail: NotRequired[List[str]]
    """Imported, and made by a person with any of these addresses."""
    externalSource: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    externalId: NotRequired[List[str]]
    """Any of these ids of the systems that `externalSource` names, which must be given as well."""
    status: NotRequired[List[Literal["backlog", "todo", "in_progress", "blocked", "done", "cancelled", "!backlog", "!todo", "!in_progress", "!blocked", "!done", "!cancelled"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    priority: NotRequired[List[Literal["none", "low", "medium", "high", "urgent", "!none", "!low", "!medium", "!high", "!urgent"]]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them."""
    labels: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    labelsAll: NotRequired[List[str]]
    """All of these. Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`."""
    projectId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, keys or own ids."""
    assigneeId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids or emails; `me` is the key’s owner. `none`: the field is empty. `any`: it is not empty."""
    parentTaskId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    blockedById: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, identifiers or own ids. `none`: the field is empty. `any`: it is not empty."""
    crmEntityId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids, own ids, domains or emails. `none`: the field is empty. `any`: it is not empty."""
    fileId: NotRequired[List[str]]
    """Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them. Ids. `none`: the field is empty. `any`: it is not empty."""
    startAfter: NotRequired[str]
    """YYYY-MM-DD."""
    startBefore: NotRequired[str]
    """YYYY-MM-DD."""
    startDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    dueAfter: NotRequired[str]
    """YYYY-MM-DD."""
    dueBefore: NotRequired[str]
    """YYYY-MM-DD."""
    dueDate: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    completedAfter: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedBefore: NotRequired[str]
    """RFC 3339, UTC, milliseconds."""
    completedAt: NotRequired[Literal["none", "any"]]
    """`none`: the field is empty. `any`: it is not empty."""
    customFields: NotRequired[Dict[str, TasksListInputCustomFields]]
    """By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`."""

class TasksListInput(TasksListInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksListCommentsInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    sort: NotRequired[Literal["createdAt", "-createdAt"]]
    """The sort order; a leading `-` sorts in descending order."""

class TasksPurgeInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""

class TasksRemoveExternalIdInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    source: str
    """The system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class TasksRestoreInputWithoutExpand(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class TasksRestoreInput(TasksRestoreInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksSetExternalIdInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class TasksUpdateInputWithoutExpand(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    projectId: NotRequired[str]
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    title: NotRequired[str]
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[TaskStatus]
    """The status."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    assigneeIds: NotRequired[Union[List[str], TasksUpdateInputAssigneeIds2, None]]
    """The assigned members."""
    parentTaskId: NotRequired[Union[str, None]]
    """The task that it is a part of."""
    blockedByIds: NotRequired[Union[List[str], TasksUpdateInputBlockedByIds2, None]]
    """The tasks that must be done first. They must not form a cycle."""
    crmEntityIds: NotRequired[Union[List[str], TasksUpdateInputCrmEntityIds2, None]]
    """CRM entities that it is about."""
    fileIds: NotRequired[Union[List[str], TasksUpdateInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    labels: NotRequired[Union[List[str], TasksUpdateInputLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    estimateMinutes: NotRequired[Union[int, None]]
    """The estimated time."""
    position: NotRequired[float]
    """Its position among others; new ones come last."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[Union[List[TasksUpdateInputExternalIds], TasksUpdateInputExternalIds2, None]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[TaskImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class TasksUpdateInput(TasksUpdateInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class TasksUpdateCommentInput(TypedDict):
    id: str
    """Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`."""
    commentId: str
    """Its id, or your own id, `ext:erp/4711`."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    body: NotRequired[str]
    """Markdown."""
    fileIds: NotRequired[List[str]]
    """Its files, whose bytes have been uploaded."""
    externalSource: NotRequired[Union[str, None]]
    """The system that it came from: the first of `externalIds`."""
    externalId: NotRequired[Union[str, None]]
    """Its id in the system that it came from."""
    externalIds: NotRequired[List[TasksUpdateCommentInputExternalIds]]
    """Its ids in other systems, each unique among the objects of its kind. `externalSource` and `externalId` are the first."""
    imported: NotRequired[AnyImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""

class TasksUpsertInputWithoutExpand(TypedDict):
    source: str
    """The system that it came from."""
    externalId: str
    """Its id in the system that it came from."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    createOnly: NotRequired[bool]
    """Refuse where it exists."""
    onMatch: NotRequired[Literal["update", "fillEmpty", "skip"]]
    """What is done if the object exists: the given fields are set, only those that are empty are set, or nothing."""
    restore: NotRequired[bool]
    """Restore the object if it is deleted, instead of failing."""
    projectId: str
    """Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`."""
    title: str
    """The display name."""
    description: NotRequired[Union[str, None]]
    """A description for people."""
    status: NotRequired[TaskStatus]
    """The status."""
    priority: NotRequired[Literal["none", "low", "medium", "high", "urgent"]]
    """How urgent it is."""
    assigneeIds: NotRequired[Union[List[str], TasksUpsertInputAssigneeIds2, None]]
    """The assigned members."""
    parentTaskId: NotRequired[Union[str, None]]
    """The task that it is a part of."""
    blockedByIds: NotRequired[Union[List[str], TasksUpsertInputBlockedByIds2, None]]
    """The tasks that must be done first. They must not form a cycle."""
    crmEntityIds: NotRequired[Union[List[str], TasksUpsertInputCrmEntityIds2, None]]
    """CRM entities that it is about."""
    fileIds: NotRequired[Union[List[str], TasksUpsertInputFileIds2, None]]
    """Its files, whose bytes have been uploaded."""
    labels: NotRequired[Union[List[str], TasksUpsertInputLabels2, None]]
    """Tags to find it by."""
    startDate: NotRequired[Union[str, None]]
    dueDate: NotRequired[Union[str, None]]
    estimateMinutes: NotRequired[Union[int, None]]
    """The estimated time."""
    position: NotRequired[float]
    """Its position among others; new ones come last."""
    customFields: NotRequired[Union[Dict[str, Any], None]]
    """Values of the workspace’s custom fields, by their keys."""
    imported: NotRequired[TaskImport]
    """The history of an object that comes from another system. Needs the scope `imports:write`."""
    externalIds: NotRequired[Union[List[TasksUpsertInputExternalIds], None]]
    fields: NotRequired[List[Literal["id", "object", "workspaceId", "version", "createdAt", "updatedAt", "createdBy", "updatedBy", "deletedAt", "imported", "number", "identifier", "projectId", "title", "description", "status", "priority", "assigneeIds", "parentTaskId", "blockedByIds", "crmEntityIds", "fileIds", "labels", "startDate", "dueDate", "estimateMinutes", "position", "customFields", "externalSource", "externalId", "externalIds", "completedAt", "project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Only these fields, besides `id`, `object`, `version` and expanded objects."""

class TasksUpsertInput(TasksUpsertInputWithoutExpand):
    expand: NotRequired[List[Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]]]
    """Related objects to include beside their ids. Each needs the read scope of its type."""

class WebhooksCreateInput(TypedDict):
    name: str
    """The display name."""
    url: str
    """An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the host in punycode."""
    eventTypes: List[str]
    """Event types, all of a segment (`projects.*`), or all (`*`)."""
    filter: NotRequired[Union[WebhooksCreateInputFilter, None]]
    """The filter."""
    ignoredKeyIds: NotRequired[Union[List[str], None]]
    includeImports: NotRequired[bool]
    """False: changes that are imports (events with `origin: 'import'`) are not delivered. Default true."""
    payload: NotRequired[Literal["full", "thin"]]
    """`thin` leaves out `data`, `changes` and `related`."""
    order: NotRequired[Literal["none", "webhook", "object"]]
    """`none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A change applies to later events. Default `none`."""
    maxPerMinute: NotRequired[Union[int, None]]
    headers: NotRequired[Union[Dict[str, str], None]]
    """Headers, by their names."""

class WebhooksDeleteInput(TypedDict):
    id: str
    """Its id."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""

class WebhooksEnableInput(TypedDict):
    id: str
    """Its id."""

class WebhooksGetInput(TypedDict):
    id: str
    """Its id."""

class WebhooksGetInspectedRequestInput(TypedDict):
    id: str
    """Its id."""
    inspectedRequestId: str
    """The request that the inspector received."""

class WebhooksListInput(TypedDict):
    limit: NotRequired[int]
    """Items per page."""
    cursor: NotRequired[str]
    """`page.nextCursor` of the previous page."""
    status: NotRequired[List[WebhookStatus]]
    """Any of these."""
    health: NotRequired[Literal["healthy", "failing"]]
    """Whether their endpoints fail at present."""
    eventTypes: NotRequired[List[str]]
    """Subscribed to any of these event types, or to one of a segment (`projects.*`), by name or by pattern."""
    grantedBy: NotRequired[str]
    """The id of the key, or `operator`, that last chose its `eventTypes` or its address."""

class WebhooksListInspectedRequestsInput(TypedDict):
    id: str
    """Its id."""

class WebhooksPauseInput(TypedDict):
    id: str
    """Its id."""

class WebhooksRecoverInput(TypedDict):
    id: str
    """Its id."""
    since: str
    """Deliveries that were created after it are sent again."""
    perMinute: NotRequired[int]
    """The maximum of deliveries restarted a minute, across restarts of a process. Default: no limit. The limits of their webhooks decide how fast they are then sent."""

class WebhooksResumeInput(TypedDict):
    id: str
    """Its id."""

class WebhooksRevokeGrantsInput(TypedDict):
    id: str
    """Its id."""
    scopes: NotRequired[List[Literal["projects:read", "tasks:read", "crm-entities:read", "documents:read", "files:read", "webhooks:read", "api-keys:read", "workspaces:read", "resources:read", "members:read", "events:read", "deliveries:read", "audit-entries:read", "requests:read", "jobs:read"]]]
    """The scopes of the key."""

class WebhooksRotateSecretInput(TypedDict):
    id: str
    """Its id."""
    overlapHours: NotRequired[int]
    """Hours for which the old secret keeps working."""

class WebhooksStatsInput(TypedDict):
    id: str
    """Its id."""

class WebhooksTestInput(TypedDict):
    id: str
    """Its id."""
    eventType: NotRequired[str]
    """The event type of the example to send."""

class WebhooksUpdateInput(TypedDict):
    id: str
    """Its id."""
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    name: NotRequired[str]
    """The display name."""
    url: NotRequired[str]
    """An https URL on a public address, or in a sandbox that of the inspector. It is shown as it is requested, with the host in punycode."""
    eventTypes: NotRequired[List[str]]
    """Event types, all of a segment (`projects.*`), or all (`*`)."""
    filter: NotRequired[Union[WebhooksUpdateInputFilter, None]]
    """The filter."""
    ignoredKeyIds: NotRequired[Union[List[str], None]]
    includeImports: NotRequired[bool]
    """False: changes that are imports (events with `origin: 'import'`) are not delivered. Default true."""
    payload: NotRequired[Literal["full", "thin"]]
    """`thin` leaves out `data`, `changes` and `related`."""
    order: NotRequired[Literal["none", "webhook", "object"]]
    """`none`: deliveries are sent in parallel. `webhook`: one at a time, in the order of the events. `object`: one at a time for each object. A failing delivery blocks those behind it until it is delivered or becomes a dead letter. A change applies to later events. Default `none`."""
    maxPerMinute: NotRequired[Union[int, None]]
    headers: NotRequired[Union[Dict[str, str], None]]
    """Headers, by their names."""

class WorkspacesUpdateCurrentInput(TypedDict):
    expectedVersion: NotRequired[int]
    """Change only if the object still has this version."""
    name: NotRequired[str]
    """The display name."""
    timeZone: NotRequired[str]
    """IANA time zone."""
    defaultCurrency: NotRequired[str]
    """ISO 4217."""
    defaultCountry: NotRequired[Union[str, None]]

CommentExpansion = Literal["files"]

class ShownComment(Comment):
    files: NotRequired[List[ShownCommentFiles]]
    """The files that `fileIds` names."""

class CommentWithFiles(Comment):
    files: List[ShownCommentFiles]
    """The files that `fileIds` names."""

class UpsertedComment(Comment):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedCommentWithFiles(CommentWithFiles):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownComment(ShownComment):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class CommentResult(TypedDict):
    """What became of one item of a batch."""
    index: int
    status: int
    externalSource: NotRequired[str]
    externalId: NotRequired[str]
    outcome: NotRequired[Literal["created", "updated", "unchanged", "skipped", "restored"]]
    matchedBy: NotRequired[Union[str, None]]
    data: NotRequired[Union[ShownComment, None]]
    problem: NotRequired[Problem]

class CommentResults(TypedDict):
    results: List[CommentResult]

CrmEntityExpansion = Literal["owner", "company", "parentCompany", "contacts", "files"]

class ShownCompany(Company):
    owner: NotRequired[Union[MemberReference, None]]
    """The responsible member."""
    parentCompany: NotRequired[Union[CrmEntityReference, None]]
    """The company that `parentCompanyId` names."""
    files: NotRequired[List[ShownCompanyFiles]]
    """The files that `fileIds` names."""

class CompanyWithOwner(Company):
    owner: Union[MemberReference, None]
    """The responsible member."""

class CompanyWithParentCompany(Company):
    parentCompany: Union[CrmEntityReference, None]
    """The company that `parentCompanyId` names."""

class CompanyWithFiles(Company):
    files: List[ShownCompanyFiles]
    """The files that `fileIds` names."""

class ShownContact(Contact):
    owner: NotRequired[Union[MemberReference, None]]
    """The responsible member."""
    company: NotRequired[Union[CrmEntityReference, None]]
    """The company that `companyId` names."""
    files: NotRequired[List[ShownContactFiles]]
    """The files that `fileIds` names."""

class ContactWithOwner(Contact):
    owner: Union[MemberReference, None]
    """The responsible member."""

class ContactWithCompany(Contact):
    company: Union[CrmEntityReference, None]
    """The company that `companyId` names."""

class ContactWithFiles(Contact):
    files: List[ShownContactFiles]
    """The files that `fileIds` names."""

class ShownDeal(Deal):
    owner: NotRequired[Union[MemberReference, None]]
    """The responsible member."""
    company: NotRequired[Union[CrmEntityReference, None]]
    """The company that `companyId` names."""
    contacts: NotRequired[List[CrmEntityReference]]
    """The contacts that `contactIds` names."""
    files: NotRequired[List[ShownDealFiles]]
    """The files that `fileIds` names."""

class DealWithOwner(Deal):
    owner: Union[MemberReference, None]
    """The responsible member."""

class DealWithCompany(Deal):
    company: Union[CrmEntityReference, None]
    """The company that `companyId` names."""

class DealWithContacts(Deal):
    contacts: List[CrmEntityReference]
    """The contacts that `contactIds` names."""

class DealWithFiles(Deal):
    files: List[ShownDealFiles]
    """The files that `fileIds` names."""

class UpsertedCompany(Company):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedContact(Contact):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDeal(Deal):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedCompanyWithOwner(CompanyWithOwner):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedContactWithOwner(ContactWithOwner):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDealWithOwner(DealWithOwner):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedContactWithCompany(ContactWithCompany):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDealWithCompany(DealWithCompany):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedCompanyWithParentCompany(CompanyWithParentCompany):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDealWithContacts(DealWithContacts):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedCompanyWithFiles(CompanyWithFiles):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedContactWithFiles(ContactWithFiles):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDealWithFiles(DealWithFiles):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownCompany(ShownCompany):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownContact(ShownContact):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownDeal(ShownDeal):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

UpsertedCrmEntity = Union["UpsertedCompany", "UpsertedContact", "UpsertedDeal"]

CrmEntityWithOwner = Union["CompanyWithOwner", "ContactWithOwner", "DealWithOwner"]

UpsertedCrmEntityWithOwner = Union["UpsertedCompanyWithOwner", "UpsertedContactWithOwner", "UpsertedDealWithOwner"]

CrmEntityWithCompany = Union["Company", "ContactWithCompany", "DealWithCompany"]

UpsertedCrmEntityWithCompany = Union["UpsertedCompany", "UpsertedContactWithCompany", "UpsertedDealWithCompany"]

CrmEntityWithParentCompany = Union["CompanyWithParentCompany", "Contact", "Deal"]

UpsertedCrmEntityWithParentCompany = Union["UpsertedCompanyWithParentCompany", "UpsertedContact", "UpsertedDeal"]

CrmEntityWithContacts = Union["Company", "Contact", "DealWithContacts"]

UpsertedCrmEntityWithContacts = Union["UpsertedCompany", "UpsertedContact", "UpsertedDealWithContacts"]

CrmEntityWithFiles = Union["CompanyWithFiles", "ContactWithFiles", "DealWithFiles"]

UpsertedCrmEntityWithFiles = Union["UpsertedCompanyWithFiles", "UpsertedContactWithFiles", "UpsertedDealWithFiles"]

ShownCrmEntity = Union["ShownCompany", "ShownContact", "ShownDeal"]

UpsertedShownCrmEntity = Union["UpsertedShownCompany", "UpsertedShownContact", "UpsertedShownDeal"]

class CrmEntityResult(TypedDict):
    """What became of one item of a batch."""
    index: int
    status: int
    externalSource: NotRequired[str]
    externalId: NotRequired[str]
    outcome: NotRequired[Literal["created", "updated", "unchanged", "skipped", "restored"]]
    matchedBy: NotRequired[Union[str, None]]
    data: NotRequired[Union[ShownCrmEntity, None]]
    problem: NotRequired[Problem]

class CrmEntityResults(TypedDict):
    results: List[CrmEntityResult]

DocumentExpansion = Literal["project", "crmEntity", "files"]

class ShownDocument(Document):
    project: NotRequired[Union[ProjectReference, None]]
    """The project that `projectId` names."""
    crmEntity: NotRequired[Union[CrmEntityReference, None]]
    """The CRM entity that `crmEntityId` names."""
    files: NotRequired[List[ShownDocumentFiles]]
    """The files that `fileIds` names."""

class DocumentWithProject(Document):
    project: Union[ProjectReference, None]
    """The project that `projectId` names."""

class DocumentWithCrmEntity(Document):
    crmEntity: Union[CrmEntityReference, None]
    """The CRM entity that `crmEntityId` names."""

class DocumentWithFiles(Document):
    files: List[ShownDocumentFiles]
    """The files that `fileIds` names."""

class UpsertedDocument(Document):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDocumentWithProject(DocumentWithProject):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDocumentWithCrmEntity(DocumentWithCrmEntity):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedDocumentWithFiles(DocumentWithFiles):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownDocument(ShownDocument):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class DocumentResult(TypedDict):
    """What became of one item of a batch."""
    index: int
    status: int
    externalSource: NotRequired[str]
    externalId: NotRequired[str]
    outcome: NotRequired[Literal["created", "updated", "unchanged", "skipped", "restored"]]
    matchedBy: NotRequired[Union[str, None]]
    data: NotRequired[Union[ShownDocument, None]]
    problem: NotRequired[Problem]

class DocumentResults(TypedDict):
    results: List[DocumentResult]

ProjectExpansion = Literal["owner", "members", "company", "taskCounts"]

class ShownProject(Project):
    owner: NotRequired[Union[MemberReference, None]]
    """The responsible member."""
    members: NotRequired[List[MemberReference]]
    """The members that `memberIds` names."""
    company: NotRequired[Union[CrmEntityReference, None]]
    """The company that `companyId` names."""
    taskCounts: NotRequired[Dict[str, int]]
    """Tasks by status."""

class ProjectWithOwner(Project):
    owner: Union[MemberReference, None]
    """The responsible member."""

class ProjectWithMembers(Project):
    members: List[MemberReference]
    """The members that `memberIds` names."""

class ProjectWithCompany(Project):
    company: Union[CrmEntityReference, None]
    """The company that `companyId` names."""

class ProjectWithTaskCounts(Project):
    taskCounts: Dict[str, int]
    """Tasks by status."""

class UpsertedProject(Project):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedProjectWithOwner(ProjectWithOwner):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedProjectWithMembers(ProjectWithMembers):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedProjectWithCompany(ProjectWithCompany):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedProjectWithTaskCounts(ProjectWithTaskCounts):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownProject(ShownProject):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class ProjectResult(TypedDict):
    """What became of one item of a batch."""
    index: int
    status: int
    externalSource: NotRequired[str]
    externalId: NotRequired[str]
    outcome: NotRequired[Literal["created", "updated", "unchanged", "skipped", "restored"]]
    matchedBy: NotRequired[Union[str, None]]
    data: NotRequired[Union[ShownProject, None]]
    problem: NotRequired[Problem]

class ProjectResults(TypedDict):
    results: List[ProjectResult]

TaskExpansion = Literal["project", "assignees", "parentTask", "blockedBy", "crmEntities", "files"]

class ShownTask(Task):
    project: NotRequired[ProjectReference]
    """The project that `projectId` names."""
    assignees: NotRequired[List[MemberReference]]
    """The members that `assigneeIds` names."""
    parentTask: NotRequired[Union[TaskReference, None]]
    """The task that `parentTaskId` names."""
    blockedBy: NotRequired[List[TaskReference]]
    """The tasks that `blockedByIds` names."""
    crmEntities: NotRequired[List[CrmEntityReference]]
    """The CRM entities that `crmEntityIds` names."""
    files: NotRequired[List[ShownTaskFiles]]
    """The files that `fileIds` names."""

class TaskWithProject(Task):
    project: ProjectReference
    """The project that `projectId` names."""

class TaskWithAssignees(Task):
    assignees: List[MemberReference]
    """The members that `assigneeIds` names."""

class TaskWithParentTask(Task):
    parentTask: Union[TaskReference, None]
    """The task that `parentTaskId` names."""

class TaskWithBlockedBy(Task):
    blockedBy: List[TaskReference]
    """The tasks that `blockedByIds` names."""

class TaskWithCrmEntities(Task):
    crmEntities: List[CrmEntityReference]
    """The CRM entities that `crmEntityIds` names."""

class TaskWithFiles(Task):
    files: List[ShownTaskFiles]
    """The files that `fileIds` names."""

class UpsertedTask(Task):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedTaskWithProject(TaskWithProject):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedTaskWithAssignees(TaskWithAssignees):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedTaskWithParentTask(TaskWithParentTask):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedTaskWithBlockedBy(TaskWithBlockedBy):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedTaskWithCrmEntities(TaskWithCrmEntities):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedTaskWithFiles(TaskWithFiles):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class UpsertedShownTask(ShownTask):
    outcome: Literal["created", "updated", "unchanged", "skipped", "restored"]
    matchedBy: Union[str, None]

class TaskResult(TypedDict):
    """What became of one item of a batch."""
    index: int
    status: int
    externalSource: NotRequired[str]
    externalId: NotRequired[str]
    outcome: NotRequired[Literal["created", "updated", "unchanged", "skipped", "restored"]]
    matchedBy: NotRequired[Union[str, None]]
    data: NotRequired[Union[ShownTask, None]]
    problem: NotRequired[Problem]

class TaskResults(TypedDict):
    results: List[TaskResult]

CrmEntity = Union["Company", "Contact", "Deal"]

CrmKind = Literal["company", "contact", "deal"]

CustomFieldTarget = Literal["project", "task", "company", "contact", "deal"]

DealStage = Literal["new", "qualified", "proposal", "negotiation", "won", "lost"]

DeliveryStatus = Literal["pending", "retrying", "delivered", "dead_letter", "cancelled"]

DocumentStatus = Literal["draft", "published", "archived"]

FileStatus = Literal["awaiting_upload", "held", "available", "quarantined"]

JobStatus = Literal["queued", "running", "completed", "cancelled", "failed"]

MemberStatus = Literal["invited", "active", "suspended"]

ProjectStatus = Literal["planned", "active", "paused", "completed", "cancelled"]

TaskStatus = Literal["backlog", "todo", "in_progress", "blocked", "done", "cancelled"]

WebhookStatus = Literal["active", "paused", "disabled"]
