# Written by `npm run clients` from the contract. Change the contract, and not this file.
"""A method for every call of the API, by its collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Optional, Sequence, Union, cast, overload

from .batch import batch_all
from .feed import EventFeed
from .pages import Pages
from .send import Sender

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types as t


class AuditEntriesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **input: Unpack[t.AuditEntriesListInput]) -> Pages[t.AuditEntry]:
        """List audit entries. Newest first. Entries are kept for a year. Where filters are combined, or a text is searched, one page looks through at most 50,000 entries, so a page can have fewer items than its limit, or none, although there are more (`hasMore`)."""
        return Pages(lambda more: self._sender.send("audit-entries.list", {**dict(input), **more}))


class CommentsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def batch(self, **input: Unpack[t.CommentsBatchInput]) -> t.CommentResults:
        """Change many comments at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the object of item 3, which comes before it. Each item counts as one request."""
        return cast("t.CommentResults", self._sender.send("comments.batch", dict(input)))

    def count(self, **input: Unpack[t.CommentsCountInput]) -> t.CommentsCountAnswer:
        """Count comments. The number of matches and the sum of a field, in total and by the values of one or two fields. Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once in `total`."""
        return cast("t.CommentsCountAnswer", self._sender.send("comments.count", dict(input)))

    @overload
    def create(self, **input: Unpack[t.CommentsCreateInputWithoutExpand]) -> t.Comment: ...

    @overload
    def create(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsCreateInputWithoutExpand]) -> t.CommentWithFiles: ...

    def create(self, **input: Any) -> Any:
        """Create a comment. Omitted fields get their defaults. Null empties a list; empty text means null."""
        return self._sender.send("comments.create", dict(input))

    def delete(self, **input: Unpack[t.CommentsDeleteInput]) -> None:
        """Delete a comment. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("comments.delete", dict(input))

    def delete_by_external_id(self, **input: Unpack[t.CommentsDeleteByExternalIdInput]) -> None:
        """Delete a comment by your own id. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("comments.delete-by-external-id", dict(input))

    @overload
    def get(self, **input: Unpack[t.CommentsGetInputWithoutExpand]) -> t.Comment: ...

    @overload
    def get(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsGetInputWithoutExpand]) -> t.CommentWithFiles: ...

    def get(self, **input: Any) -> Any:
        """Get a comment. One comment by its id."""
        return self._sender.send("comments.get", dict(input))

    @overload
    def get_by_external_id(self, **input: Unpack[t.CommentsGetByExternalIdInputWithoutExpand]) -> t.Comment: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsGetByExternalIdInputWithoutExpand]) -> t.CommentWithFiles: ...

    def get_by_external_id(self, **input: Any) -> Any:
        """Get a comment by your own id. One comment by the id that it has in the system it came from."""
        return self._sender.send("comments.get-by-external-id", dict(input))

    @overload
    def list(self, **input: Unpack[t.CommentsListInputWithoutExpand]) -> Pages[t.Comment]: ...

    @overload
    def list(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsListInputWithoutExpand]) -> Pages[t.CommentWithFiles]: ...

    def list(self, **input: Any) -> Pages[Any]:
        """List comments. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by it and send the last value seen as `updatedAfter`, and no change is missed."""
        return Pages[Any](lambda more: self._sender.send("comments.list", {**dict(input), **more}))

    def purge(self, **input: Unpack[t.CommentsPurgeInput]) -> None:
        """Purge a deleted comment. Purges the object before its 30 days end: its content is deleted for good, its unique values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its events are kept for their 30 days. Purging it again changes nothing."""
        self._sender.send("comments.purge", dict(input))

    def remove_external_id(self, **input: Unpack[t.CommentsRemoveExternalIdInput]) -> t.Comment:
        """Remove the own id of a comment in one system. Returns the object. The ids in other systems stay. Removing it again changes nothing."""
        return cast("t.Comment", self._sender.send("comments.remove-external-id", dict(input)))

    @overload
    def restore(self, **input: Unpack[t.CommentsRestoreInputWithoutExpand]) -> t.Comment: ...

    @overload
    def restore(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsRestoreInputWithoutExpand]) -> t.CommentWithFiles: ...

    def restore(self, **input: Any) -> Any:
        """Restore a deleted comment. Restores it in its earlier state, within 30 days of its deletion."""
        return self._sender.send("comments.restore", dict(input))

    def set_external_id(self, **input: Unpack[t.CommentsSetExternalIdInput]) -> t.Comment:
        """Set the own id of a comment in one system. The ids in other systems stay; a former id in this one is replaced. At most 10. Setting it again changes nothing."""
        return cast("t.Comment", self._sender.send("comments.set-external-id", dict(input)))

    @overload
    def update(self, **input: Unpack[t.CommentsUpdateInputWithoutExpand]) -> t.Comment: ...

    @overload
    def update(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsUpdateInputWithoutExpand]) -> t.CommentWithFiles: ...

    def update(self, **input: Any) -> Any:
        """Change a comment. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace; `{'add': […], 'remove': […]}` in place of an array changes a part of the list. Empty text means null."""
        return self._sender.send("comments.update", dict(input))

    @overload
    def upsert(self, **input: Unpack[t.CommentsUpsertInputWithoutExpand]) -> t.UpsertedComment: ...

    @overload
    def upsert(self, *, expand: List[Literal["files"]], **input: Unpack[t.CommentsUpsertInputWithoutExpand]) -> t.UpsertedCommentWithFiles: ...

    def upsert(self, **input: Any) -> Any:
        """Create or change a comment by your own id. Returns 201 if the object was created. If it exists, the given fields are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if it exists, and `If-Match: *` if it does not."""
        return self._sender.send("comments.upsert", dict(input))

    def batch_all(
        self,
        items: Iterable[Dict[str, Any]],
        fields: Optional[Sequence[str]] = None,
        expand: Optional[Sequence[str]] = None,
    ) -> Iterator[t.CommentResult]:
        """Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items."""
        return cast("Iterator[t.CommentResult]", batch_all(self._sender, "comments", items, fields, expand))


class CrmEntitiesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def batch(self, **input: Unpack[t.CrmEntitiesBatchInput]) -> t.CrmEntityResults:
        """Change many CRM entities at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the object of item 3, which comes before it. Each item counts as one request."""
        return cast("t.CrmEntityResults", self._sender.send("crm-entities.batch", dict(input)))

    def count(self, **input: Unpack[t.CrmEntitiesCountInput]) -> t.CrmEntitiesCountAnswer:
        """Count CRM entities. The number of matches and the sum of a field, in total and by the values of one or two fields. Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once in `total`."""
        return cast("t.CrmEntitiesCountAnswer", self._sender.send("crm-entities.count", dict(input)))

    @overload
    def create(self, **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.CrmEntity: ...

    @overload
    def create(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.CrmEntityWithOwner: ...

    @overload
    def create(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.CrmEntityWithCompany: ...

    @overload
    def create(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.CrmEntityWithParentCompany: ...

    @overload
    def create(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.CrmEntityWithContacts: ...

    @overload
    def create(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.CrmEntityWithFiles: ...

    @overload
    def create(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesCreateInputWithoutExpand]) -> t.ShownCrmEntity: ...

    def create(self, **input: Any) -> Any:
        """Create a CRM entity. Omitted fields get their defaults. Null empties a list; empty text means null."""
        return self._sender.send("crm-entities.create", dict(input))

    def create_comment(self, **input: Unpack[t.CrmEntitiesCreateCommentInput]) -> t.Comment:
        """Comment on a CRM entity. The author is the key of the request."""
        return cast("t.Comment", self._sender.send("crm-entities.create-comment", dict(input)))

    def delete(self, **input: Unpack[t.CrmEntitiesDeleteInput]) -> None:
        """Delete a CRM entity. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("crm-entities.delete", dict(input))

    def delete_by_external_id(self, **input: Unpack[t.CrmEntitiesDeleteByExternalIdInput]) -> None:
        """Delete a CRM entity by your own id. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("crm-entities.delete-by-external-id", dict(input))

    def delete_comment(self, **input: Unpack[t.CrmEntitiesDeleteCommentInput]) -> None:
        """Delete a comment on a CRM entity. A key with the write scope may delete any comment. Deleting it again changes nothing."""
        self._sender.send("crm-entities.delete-comment", dict(input))

    @overload
    def get(self, **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.CrmEntity: ...

    @overload
    def get(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.CrmEntityWithOwner: ...

    @overload
    def get(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.CrmEntityWithCompany: ...

    @overload
    def get(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.CrmEntityWithParentCompany: ...

    @overload
    def get(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.CrmEntityWithContacts: ...

    @overload
    def get(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.CrmEntityWithFiles: ...

    @overload
    def get(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesGetInputWithoutExpand]) -> t.ShownCrmEntity: ...

    def get(self, **input: Any) -> Any:
        """Get a CRM entity. One CRM entity by its id."""
        return self._sender.send("crm-entities.get", dict(input))

    @overload
    def get_by_external_id(self, **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.CrmEntity: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.CrmEntityWithOwner: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.CrmEntityWithCompany: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.CrmEntityWithParentCompany: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.CrmEntityWithContacts: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.CrmEntityWithFiles: ...

    @overload
    def get_by_external_id(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesGetByExternalIdInputWithoutExpand]) -> t.ShownCrmEntity: ...

    def get_by_external_id(self, **input: Any) -> Any:
        """Get a CRM entity by your own id. One CRM entity by the id that it has in the system it came from."""
        return self._sender.send("crm-entities.get-by-external-id", dict(input))

    def get_comment(self, **input: Unpack[t.CrmEntitiesGetCommentInput]) -> t.Comment:
        """Get a comment on a CRM entity. One comment by its id and that of the CRM entity."""
        return cast("t.Comment", self._sender.send("crm-entities.get-comment", dict(input)))

    def history(self, **input: Unpack[t.CrmEntitiesHistoryInput]) -> Pages[t.CrmEntitiesHistoryItem]:
        """List the changes of a CRM entity. Each change of each field, newest first; changes of one request are in the order of its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing. Creating, deleting and restoring change no field; the feed has them."""
        return Pages(lambda more: self._sender.send("crm-entities.history", {**dict(input), **more}))

    @overload
    def list(self, **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.CrmEntity]: ...

    @overload
    def list(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.CrmEntityWithOwner]: ...

    @overload
    def list(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.CrmEntityWithCompany]: ...

    @overload
    def list(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.CrmEntityWithParentCompany]: ...

    @overload
    def list(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.CrmEntityWithContacts]: ...

    @overload
    def list(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.CrmEntityWithFiles]: ...

    @overload
    def list(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesListInputWithoutExpand]) -> Pages[t.ShownCrmEntity]: ...

    def list(self, **input: Any) -> Pages[Any]:
        """List CRM entities. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by it and send the last value seen as `updatedAfter`, and no change is missed."""
        return Pages[Any](lambda more: self._sender.send("crm-entities.list", {**dict(input), **more}))

    def list_comments(self, **input: Unpack[t.CrmEntitiesListCommentsInput]) -> Pages[t.Comment]:
        """List the comments on a CRM entity. Oldest first, unless sorted by `-createdAt`."""
        return Pages(lambda more: self._sender.send("crm-entities.list-comments", {**dict(input), **more}))

    def merge(self, **input: Unpack[t.CrmEntitiesMergeInput]) -> t.CrmEntity:
        """Merge another CRM entity into this one. Both must be of the same kind. This entity takes missing values from the source, and objects that refer to the source refer to it instead, each with a new version and an event. With more than 1,000 such objects, most change within seconds to minutes after the response, and until then the id of the source redirects here. The source cannot be restored, and its id redirects here as long as deleted objects are kept. Needs `crm-entities:delete` as well. Merging it again changes nothing."""
        return cast("t.CrmEntity", self._sender.send("crm-entities.merge", dict(input)))

    def purge(self, **input: Unpack[t.CrmEntitiesPurgeInput]) -> None:
        """Purge a deleted CRM entity. Purges the object before its 30 days end: its content is deleted for good, its unique values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its events are kept for their 30 days. Purging it again changes nothing."""
        self._sender.send("crm-entities.purge", dict(input))

    def remove_external_id(self, **input: Unpack[t.CrmEntitiesRemoveExternalIdInput]) -> t.CrmEntity:
        """Remove the own id of a CRM entity in one system. Returns the object. The ids in other systems stay. Removing it again changes nothing."""
        return cast("t.CrmEntity", self._sender.send("crm-entities.remove-external-id", dict(input)))

    @overload
    def restore(self, **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.CrmEntity: ...

    @overload
    def restore(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.CrmEntityWithOwner: ...

    @overload
    def restore(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.CrmEntityWithCompany: ...

    @overload
    def restore(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.CrmEntityWithParentCompany: ...

    @overload
    def restore(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.CrmEntityWithContacts: ...

    @overload
    def restore(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.CrmEntityWithFiles: ...

    @overload
    def restore(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesRestoreInputWithoutExpand]) -> t.ShownCrmEntity: ...

    def restore(self, **input: Any) -> Any:
        """Restore a deleted CRM entity. Restores it in its earlier state, within 30 days of its deletion."""
        return self._sender.send("crm-entities.restore", dict(input))

    def set_external_id(self, **input: Unpack[t.CrmEntitiesSetExternalIdInput]) -> t.CrmEntity:
        """Set the own id of a CRM entity in one system. The ids in other systems stay; a former id in this one is replaced. At most 10. Setting it again changes nothing."""
        return cast("t.CrmEntity", self._sender.send("crm-entities.set-external-id", dict(input)))

    @overload
    def update(self, **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.CrmEntity: ...

    @overload
    def update(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.CrmEntityWithOwner: ...

    @overload
    def update(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.CrmEntityWithCompany: ...

    @overload
    def update(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.CrmEntityWithParentCompany: ...

    @overload
    def update(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.CrmEntityWithContacts: ...

    @overload
    def update(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.CrmEntityWithFiles: ...

    @overload
    def update(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesUpdateInputWithoutExpand]) -> t.ShownCrmEntity: ...

    def update(self, **input: Any) -> Any:
        """Change a CRM entity. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace; `{'add': […], 'remove': […]}` in place of an array changes a part of the list. Empty text means null."""
        return self._sender.send("crm-entities.update", dict(input))

    def update_comment(self, **input: Unpack[t.CrmEntitiesUpdateCommentInput]) -> t.Comment:
        """Change a comment on a CRM entity. A key with the write scope may change any comment; `createdBy` and `updatedBy` show the author and the last editor."""
        return cast("t.Comment", self._sender.send("crm-entities.update-comment", dict(input)))

    @overload
    def upsert(self, **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedCrmEntity: ...

    @overload
    def upsert(self, *, expand: List[Literal["owner"]], **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedCrmEntityWithOwner: ...

    @overload
    def upsert(self, *, expand: List[Literal["company"]], **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedCrmEntityWithCompany: ...

    @overload
    def upsert(self, *, expand: List[Literal["parentCompany"]], **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedCrmEntityWithParentCompany: ...

    @overload
    def upsert(self, *, expand: List[Literal["contacts"]], **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedCrmEntityWithContacts: ...

    @overload
    def upsert(self, *, expand: List[Literal["files"]], **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedCrmEntityWithFiles: ...

    @overload
    def upsert(self, *, expand: List[t.CrmEntityExpansion], **input: Unpack[t.CrmEntitiesUpsertInputWithoutExpand]) -> t.UpsertedShownCrmEntity: ...

    def upsert(self, **input: Any) -> Any:
        """Create or change a CRM entity by your own id. Returns 201 if the object was created. If it exists, the given fields are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if it exists, and `If-Match: *` if it does not."""
        return self._sender.send("crm-entities.upsert", dict(input))

    def batch_all(
        self,
        items: Iterable[Dict[str, Any]],
        fields: Optional[Sequence[str]] = None,
        expand: Optional[Sequence[str]] = None,
    ) -> Iterator[t.CrmEntityResult]:
        """Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items."""
        return cast("Iterator[t.CrmEntityResult]", batch_all(self._sender, "crm-entities", items, fields, expand))


class CustomFieldsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def archive(self, **input: Unpack[t.CustomFieldsArchiveInput]) -> None:
        """Archive a custom field. Existing values stay and can be read; new values are rejected. Archiving it again changes nothing."""
        self._sender.send("custom-fields.archive", dict(input))

    def create(self, **input: Unpack[t.CustomFieldsCreateInput]) -> t.CustomField:
        """Create a custom field. Key, target and type cannot be changed later. An object type (`target`) can have at most 100 custom fields that are not archived."""
        return cast("t.CustomField", self._sender.send("custom-fields.create", dict(input)))

    def get(self, **input: Unpack[t.CustomFieldsGetInput]) -> t.CustomField:
        """Get a custom field. One custom field by its id, archived or not."""
        return cast("t.CustomField", self._sender.send("custom-fields.get", dict(input)))

    def list(self, **input: Unpack[t.CustomFieldsListInput]) -> Pages[t.CustomField]:
        """List custom fields. Oldest first. Archived ones are listed only on request."""
        return Pages(lambda more: self._sender.send("custom-fields.list", {**dict(input), **more}))

    def unarchive(self, **input: Unpack[t.CustomFieldsUnarchiveInput]) -> t.CustomField:
        """Unarchive a custom field. The custom field takes values again. If it is not archived, nothing changes."""
        return cast("t.CustomField", self._sender.send("custom-fields.unarchive", dict(input)))

    def update(self, **input: Unpack[t.CustomFieldsUpdateInput]) -> t.CustomField:
        """Change a custom field. A JSON Merge Patch. A removed option stays on objects where it was chosen, and can no longer be chosen."""
        return cast("t.CustomField", self._sender.send("custom-fields.update", dict(input)))


class DeliveriesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def attempts(self, **input: Unpack[t.DeliveriesAttemptsInput]) -> Pages[t.Attempt]:
        """List the attempts of a delivery. Oldest first, with request and response. Signatures and values of custom headers are masked. The key must be able to read this event type."""
        return Pages(lambda more: self._sender.send("deliveries.attempts", {**dict(input), **more}))

    def cancel_replay_job(self, **input: Unpack[t.DeliveriesCancelReplayJobInput]) -> None:
        """Cancel a replay job. Deliveries that it has already restarted stay restarted. Cancelling a job that has ended changes nothing. The key must hold the scopes that the job works with."""
        self._sender.send("deliveries.cancel-replay-job", dict(input))

    def get(self, **input: Unpack[t.DeliveriesGetInput]) -> t.Delivery:
        """Get a delivery. One delivery by its id, which is also sent to the endpoint. The key must be able to read its event type."""
        return cast("t.Delivery", self._sender.send("deliveries.get", dict(input)))

    def get_replay_job(self, **input: Unpack[t.DeliveriesGetReplayJobInput]) -> t.ReplayJob:
        """Get a replay job. The progress of the job. Jobs are kept for 30 days after they end. The key must hold the scopes that the job works with."""
        return cast("t.ReplayJob", self._sender.send("deliveries.get-replay-job", dict(input)))

    def list(self, **input: Unpack[t.DeliveriesListInput]) -> Pages[t.Delivery]:
        """List deliveries. Newest first. A key sees only deliveries of events that it may read."""
        return Pages(lambda more: self._sender.send("deliveries.list", {**dict(input), **more}))

    def replay(self, **input: Unpack[t.DeliveriesReplayInput]) -> t.Delivery:
        """Resend a delivery. Sends a delivery of an active webhook again under the same id, at once and to the current URL of the webhook, with its full number of attempts. It may have any status: one that waits for its next attempt is sent now. While the circuit is open, it is the probe. One that is being sent at this moment stays as it is, and an ordered one that waits keeps its position. The key must be able to read every event type of the webhook, and the webhook must still be granted this one."""
        return cast("t.Delivery", self._sender.send("deliveries.replay", dict(input)))

    def replay_many(self, **input: Unpack[t.DeliveriesReplayManyInput]) -> Union[t.ReplayJob, t.DeliveriesReplayManyAnswer2]:
        """Resend many deliveries. Starts a job that sends deliveries of active webhooks again, oldest first, each once and under its own id. Those that wait for their next attempt are sent at once. One job runs at a time. With `dryRun` they are only counted. `leftOut` counts deliveries that the filter matches but that are not resent, for example because their webhook is paused. Deliveries that the key may not read, and deliveries of webhooks that carry events it may not read, are left out; a request that names such a webhook or event type fails."""
        return cast("Union[t.ReplayJob, t.DeliveriesReplayManyAnswer2]", self._sender.send("deliveries.replay-many", dict(input)))


class DocumentsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def batch(self, **input: Unpack[t.DocumentsBatchInput]) -> t.DocumentResults:
        """Change many documents at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the object of item 3, which comes before it. Each item counts as one request."""
        return cast("t.DocumentResults", self._sender.send("documents.batch", dict(input)))

    def count(self, **input: Unpack[t.DocumentsCountInput]) -> t.DocumentsCountAnswer:
        """Count documents. The number of matches and the sum of a field, in total and by the values of one or two fields. Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once in `total`."""
        return cast("t.DocumentsCountAnswer", self._sender.send("documents.count", dict(input)))

    @overload
    def create(self, **input: Unpack[t.DocumentsCreateInputWithoutExpand]) -> t.Document: ...

    @overload
    def create(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsCreateInputWithoutExpand]) -> t.DocumentWithProject: ...

    @overload
    def create(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsCreateInputWithoutExpand]) -> t.DocumentWithCrmEntity: ...

    @overload
    def create(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsCreateInputWithoutExpand]) -> t.DocumentWithFiles: ...

    @overload
    def create(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsCreateInputWithoutExpand]) -> t.ShownDocument: ...

    def create(self, **input: Any) -> Any:
        """Create a document. Omitted fields get their defaults. Null empties a list; empty text means null."""
        return self._sender.send("documents.create", dict(input))

    def delete(self, **input: Unpack[t.DocumentsDeleteInput]) -> None:
        """Delete a document. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("documents.delete", dict(input))

    def delete_by_external_id(self, **input: Unpack[t.DocumentsDeleteByExternalIdInput]) -> None:
        """Delete a document by your own id. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("documents.delete-by-external-id", dict(input))

    def edit(self, **input: Unpack[t.DocumentsEditInput]) -> t.DocumentsEditAnswer:
        """Edit the content of a document. Finds text in the content and replaces it. The edits apply in order, each to the result of the one before, and all of them or none. If all lines of the document have the same line ending, line breaks in the edits are converted to it."""
        return cast("t.DocumentsEditAnswer", self._sender.send("documents.edit", dict(input)))

    @overload
    def get(self, **input: Unpack[t.DocumentsGetInputWithoutExpand]) -> t.Document: ...

    @overload
    def get(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsGetInputWithoutExpand]) -> t.DocumentWithProject: ...

    @overload
    def get(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsGetInputWithoutExpand]) -> t.DocumentWithCrmEntity: ...

    @overload
    def get(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsGetInputWithoutExpand]) -> t.DocumentWithFiles: ...

    @overload
    def get(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsGetInputWithoutExpand]) -> t.ShownDocument: ...

    def get(self, **input: Any) -> Any:
        """Get a document. One document by its id."""
        return self._sender.send("documents.get", dict(input))

    @overload
    def get_by_external_id(self, **input: Unpack[t.DocumentsGetByExternalIdInputWithoutExpand]) -> t.Document: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsGetByExternalIdInputWithoutExpand]) -> t.DocumentWithProject: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsGetByExternalIdInputWithoutExpand]) -> t.DocumentWithCrmEntity: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsGetByExternalIdInputWithoutExpand]) -> t.DocumentWithFiles: ...

    @overload
    def get_by_external_id(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsGetByExternalIdInputWithoutExpand]) -> t.ShownDocument: ...

    def get_by_external_id(self, **input: Any) -> Any:
        """Get a document by your own id. One document by the id that it has in the system it came from."""
        return self._sender.send("documents.get-by-external-id", dict(input))

    def history(self, **input: Unpack[t.DocumentsHistoryInput]) -> Pages[t.DocumentsHistoryItem]:
        """List the changes of a document. Each change of each field, newest first; changes of one request are in the order of its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing. Creating, deleting and restoring change no field; the feed has them."""
        return Pages(lambda more: self._sender.send("documents.history", {**dict(input), **more}))

    @overload
    def list(self, **input: Unpack[t.DocumentsListInputWithoutExpand]) -> Pages[t.Document]: ...

    @overload
    def list(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsListInputWithoutExpand]) -> Pages[t.DocumentWithProject]: ...

    @overload
    def list(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsListInputWithoutExpand]) -> Pages[t.DocumentWithCrmEntity]: ...

    @overload
    def list(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsListInputWithoutExpand]) -> Pages[t.DocumentWithFiles]: ...

    @overload
    def list(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsListInputWithoutExpand]) -> Pages[t.ShownDocument]: ...

    def list(self, **input: Any) -> Pages[Any]:
        """List documents. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by it and send the last value seen as `updatedAfter`, and no change is missed."""
        return Pages[Any](lambda more: self._sender.send("documents.list", {**dict(input), **more}))

    def purge(self, **input: Unpack[t.DocumentsPurgeInput]) -> None:
        """Purge a deleted document. Purges the object before its 30 days end: its content is deleted for good, its unique values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its events are kept for their 30 days. Purging it again changes nothing."""
        self._sender.send("documents.purge", dict(input))

    def read_content(self, **input: Unpack[t.DocumentsReadContentInput]) -> t.DocumentsReadContentAnswer:
        """Read a part of a document. A section, a range of lines, or the whole content, with the outline. Headings in code blocks, lists and quotations do not count."""
        return cast("t.DocumentsReadContentAnswer", self._sender.send("documents.read-content", dict(input)))

    def remove_external_id(self, **input: Unpack[t.DocumentsRemoveExternalIdInput]) -> t.Document:
        """Remove the own id of a document in one system. Returns the object. The ids in other systems stay. Removing it again changes nothing."""
        return cast("t.Document", self._sender.send("documents.remove-external-id", dict(input)))

    @overload
    def restore(self, **input: Unpack[t.DocumentsRestoreInputWithoutExpand]) -> t.Document: ...

    @overload
    def restore(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsRestoreInputWithoutExpand]) -> t.DocumentWithProject: ...

    @overload
    def restore(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsRestoreInputWithoutExpand]) -> t.DocumentWithCrmEntity: ...

    @overload
    def restore(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsRestoreInputWithoutExpand]) -> t.DocumentWithFiles: ...

    @overload
    def restore(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsRestoreInputWithoutExpand]) -> t.ShownDocument: ...

    def restore(self, **input: Any) -> Any:
        """Restore a deleted document. Restores it in its earlier state, within 30 days of its deletion."""
        return self._sender.send("documents.restore", dict(input))

    def set_external_id(self, **input: Unpack[t.DocumentsSetExternalIdInput]) -> t.Document:
        """Set the own id of a document in one system. The ids in other systems stay; a former id in this one is replaced. At most 10. Setting it again changes nothing."""
        return cast("t.Document", self._sender.send("documents.set-external-id", dict(input)))

    @overload
    def update(self, **input: Unpack[t.DocumentsUpdateInputWithoutExpand]) -> t.Document: ...

    @overload
    def update(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsUpdateInputWithoutExpand]) -> t.DocumentWithProject: ...

    @overload
    def update(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsUpdateInputWithoutExpand]) -> t.DocumentWithCrmEntity: ...

    @overload
    def update(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsUpdateInputWithoutExpand]) -> t.DocumentWithFiles: ...

    @overload
    def update(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsUpdateInputWithoutExpand]) -> t.ShownDocument: ...

    def update(self, **input: Any) -> Any:
        """Change a document. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace; `{'add': […], 'remove': […]}` in place of an array changes a part of the list. Empty text means null."""
        return self._sender.send("documents.update", dict(input))

    @overload
    def upsert(self, **input: Unpack[t.DocumentsUpsertInputWithoutExpand]) -> t.UpsertedDocument: ...

    @overload
    def upsert(self, *, expand: List[Literal["project"]], **input: Unpack[t.DocumentsUpsertInputWithoutExpand]) -> t.UpsertedDocumentWithProject: ...

    @overload
    def upsert(self, *, expand: List[Literal["crmEntity"]], **input: Unpack[t.DocumentsUpsertInputWithoutExpand]) -> t.UpsertedDocumentWithCrmEntity: ...

    @overload
    def upsert(self, *, expand: List[Literal["files"]], **input: Unpack[t.DocumentsUpsertInputWithoutExpand]) -> t.UpsertedDocumentWithFiles: ...

    @overload
    def upsert(self, *, expand: List[t.DocumentExpansion], **input: Unpack[t.DocumentsUpsertInputWithoutExpand]) -> t.UpsertedShownDocument: ...

    def upsert(self, **input: Any) -> Any:
        """Create or change a document by your own id. Returns 201 if the object was created. If it exists, the given fields are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if it exists, and `If-Match: *` if it does not."""
        return self._sender.send("documents.upsert", dict(input))

    def batch_all(
        self,
        items: Iterable[Dict[str, Any]],
        fields: Optional[Sequence[str]] = None,
        expand: Optional[Sequence[str]] = None,
    ) -> Iterator[t.DocumentResult]:
        """Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items."""
        return cast("Iterator[t.DocumentResult]", batch_all(self._sender, "documents", items, fields, expand))


class EventTypesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self) -> t.EventTypesListAnswer:
        """List event types. The catalog of all event types, whether or not the key may read them."""
        return cast("t.EventTypesListAnswer", self._sender.send("event-types.list", {}))

    def trigger(self, **input: Unpack[t.EventTypesTriggerInput]) -> t.EventTypesTriggerAnswer:
        """Trigger an event in a sandbox. Records an event of this type although nothing has happened, with `origin: 'trigger'`. It appears in the feed and is sent to the webhooks that subscribe to it. It is about an object of the sandbox, the newest unless `objectId` names one, or about an example if there is none. The object does not change. The key must be able to read the event type. Returns `sandbox_only` in a workspace that is not a sandbox."""
        return cast("t.EventTypesTriggerAnswer", self._sender.send("event-types.trigger", dict(input)))


class EventsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get(self, **input: Unpack[t.EventsGetInput]) -> t.EventRecord:
        """Get an event. One event by its id."""
        return cast("t.EventRecord", self._sender.send("events.get", dict(input)))

    def list(self, **input: Unpack[t.EventsListInput]) -> t.EventsListAnswer:
        """Read the feed. Events after a sequence number, in order and without gaps. No event is ever inserted before one that was read. Repeat the request with `lastSequence` as `after`: at once while `hasMore` is true, even if `data` is empty, otherwise with `wait`. Only events of resources that the key may read are returned."""
        return cast("t.EventsListAnswer", self._sender.send("events.list", dict(input)))

    def follow(
        self,
        after: Optional[int] = None,
        occurred_after: Optional[str] = None,
        event_types: Optional[Sequence[str]] = None,
        resource_id: Optional[str] = None,
        until_caught_up: bool = False,
    ) -> EventFeed:
        """Follows the feed: each event once, in order, from a position on. It waits for what comes, and goes on after failures."""
        return EventFeed(self._sender, after, occurred_after, event_types, resource_id, until_caught_up)


class FilesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(self, **input: Unpack[t.FilesCreateInput]) -> t.FilesCreateAnswer:
        """Create a file. Returns the URL for its bytes, `upload`, which is valid for 15 minutes and one upload. A file whose bytes are not uploaded within 24 hours is removed. Its size counts for the quota `fileBytes` at once."""
        return cast("t.FilesCreateAnswer", self._sender.send("files.create", dict(input)))

    def create_download_address(self, **input: Unpack[t.FilesCreateDownloadAddressInput]) -> t.DownloadAddress:
        """Create a signed address for the bytes of a file. For a browser, or another program that has no key. Each URL stops working after its time, and when the key that requested it is revoked or its secret is replaced."""
        return cast("t.DownloadAddress", self._sender.send("files.create-download-address", dict(input)))

    def delete(self, **input: Unpack[t.FilesDeleteInput]) -> None:
        """Delete a file. It can be restored for 30 days; then its bytes are removed. Objects that name it keep its id. Deleting it again changes nothing."""
        self._sender.send("files.delete", dict(input))

    def download(self, **input: Unpack[t.FilesDownloadInput]) -> bytes:
        """Download the bytes of a file. Always an attachment: no browser shows it as a page. Takes `Range` and `If-Range` for a part of it. The ETag is its SHA-256. Active content, such as HTML and SVG, is returned as `application/octet-stream`."""
        return cast("bytes", self._sender.send("files.download", dict(input)))

    def get(self, **input: Unpack[t.FilesGetInput]) -> t.File:
        """Get a file. One file by its id, without its bytes."""
        return cast("t.File", self._sender.send("files.get", dict(input)))

    def list(self, **input: Unpack[t.FilesListInput]) -> Pages[t.File]:
        """List files. Newest first, unless sorted by `createdAt`."""
        return Pages(lambda more: self._sender.send("files.list", {**dict(input), **more}))

    def purge(self, **input: Unpack[t.FilesPurgeInput]) -> None:
        """Purge a deleted file. Removes its name and its bytes before its 30 days end: the bytes within minutes. Purging it again changes nothing."""
        self._sender.send("files.purge", dict(input))

    def quarantine(self, **input: Unpack[t.FilesQuarantineInput]) -> t.File:
        """Quarantine a file. For a virus scanner: the bytes can be read by keys with `files:release` only. Quarantining it again changes nothing."""
        return cast("t.File", self._sender.send("files.quarantine", dict(input)))

    def release(self, **input: Unpack[t.FilesReleaseInput]) -> t.File:
        """Release a file. For a virus scanner: a file that is held or quarantined can be read from then on. Releasing it again changes nothing."""
        return cast("t.File", self._sender.send("files.release", dict(input)))

    def restore(self, **input: Unpack[t.FilesRestoreInput]) -> t.File:
        """Restore a deleted file. Within 30 days of its deletion."""
        return cast("t.File", self._sender.send("files.restore", dict(input)))

    def upload(self, body: bytes, **input: Unpack[t.FilesUploadInput]) -> None:
        """Upload the bytes of a file. The body is the bytes, as they are. They must have the size, the SHA-256 and the type that the file was created with; anything else is rejected and nothing is kept. Only one upload succeeds; a failed one can be repeated at the same URL. It must send at least 32 KiB a second."""
        self._sender.send("files.upload", dict(input), body)


class JobsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def cancel(self, **input: Unpack[t.JobsCancelInput]) -> t.Job:
        """Cancel a job. Changes that it has made stay. Cancelling a job that has ended changes nothing."""
        return cast("t.Job", self._sender.send("jobs.cancel", dict(input)))

    def create(self, **input: Unpack[t.JobsCreateInput]) -> Union[t.Job, t.JobsCreateAnswer2]:
        """Start a job. An `export` writes objects to a file, one JSON object a line, packed with gzip. The first line is `{'object':'export','sequence':…}`: read the feed from that `sequence` on, and the copy follows. The last line is `{'object':'export_end','counts':{…}}`. Objects are as in the API; deleted ones, and those of deleted projects, are left out. An `import` creates an object from each row, or updates the one with its `externalSource` and `externalId`. A rejected row does not stop the others. An `update` or a `delete` changes each object that `filter` matches once, oldest first. With `dryRun` they are counted; more than `confirmedTotal` are never changed. Each object is changed as by a request of its own. The job acts with the key of the request, which needs the scopes of what it does, and ends when the key is revoked. At most 10 jobs of a workspace wait or run; one runs at a time."""
        return cast("Union[t.Job, t.JobsCreateAnswer2]", self._sender.send("jobs.create", dict(input)))

    def get(self, **input: Unpack[t.JobsGetInput]) -> t.Job:
        """Get a job. Its progress and, at its end, the size of its result. Jobs are kept for 7 days after they end."""
        return cast("t.Job", self._sender.send("jobs.get", dict(input)))

    def list(self, **input: Unpack[t.JobsListInput]) -> Pages[t.Job]:
        """List jobs. Newest first. Jobs whose scopes the key does not hold are left out."""
        return Pages(lambda more: self._sender.send("jobs.list", {**dict(input), **more}))

    def refusals(self, **input: Unpack[t.JobsRefusalsInput]) -> bytes:
        """Download the rejected rows or objects of a job. A gzip file of JSON lines, one for each object that could not be changed: its `id`, and `code`, `detail` and `errors` as in a failed request. It is available when the job has ended, for whatever reason."""
        return cast("bytes", self._sender.send("jobs.refusals", dict(input)))

    def result(self, **input: Unpack[t.JobsResultInput]) -> bytes:
        """Download the result of a job. A gzip file of JSON lines. Takes `Range`, to continue an interrupted download. Returns 404 before the job has completed."""
        return cast("bytes", self._sender.send("jobs.result", dict(input)))


class MeCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get(self) -> t.Me:
        """Who am I. The key, its owner (`me`), scopes and surfaces, its workspaces and how to choose one, and what remains of its rate limit. Works with any valid key."""
        return cast("t.Me", self._sender.send("me.get", {}))

    def rotate(self, **input: Unpack[t.MeRotateInput]) -> t.ApiKeyWithSecret:
        """Rotate the secret of the current key. The secret is shown only in this response; the same Idempotency-Key returns it again. The old secret keeps working for `overlapHours`; zero ends it at once, after which the request cannot be repeated. Rotate before `rotateBy`: an overdue key is denied here as everywhere, and gets its new secret in the workspace settings. Send this in the workspace that the key was created in."""
        return cast("t.ApiKeyWithSecret", self._sender.send("me.rotate", dict(input)))


class MembersCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get(self, **input: Unpack[t.MembersGetInput]) -> t.Member:
        """Get a member. A removed member is not found."""
        return cast("t.Member", self._sender.send("members.get", dict(input)))

    def list(self, **input: Unpack[t.MembersListInput]) -> Pages[Union[t.Member, t.MembersListItem2]]:
        """List members. Newest first unless sorted otherwise. Removed members come only with `includeDeleted`, as their id, version and time of removal."""
        return Pages(lambda more: self._sender.send("members.list", {**dict(input), **more}))


class ProjectsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def archive(self, **input: Unpack[t.ProjectsArchiveInput]) -> t.Project:
        """Archive a project. Hides it from lists that do not include archived ones. Archiving it again changes nothing."""
        return cast("t.Project", self._sender.send("projects.archive", dict(input)))

    def batch(self, **input: Unpack[t.ProjectsBatchInput]) -> t.ProjectResults:
        """Change many projects at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the object of item 3, which comes before it. Each item counts as one request."""
        return cast("t.ProjectResults", self._sender.send("projects.batch", dict(input)))

    def count(self, **input: Unpack[t.ProjectsCountInput]) -> t.ProjectsCountAnswer:
        """Count projects. The number of matches and the sum of a field, in total and by the values of one or two fields. Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once in `total`."""
        return cast("t.ProjectsCountAnswer", self._sender.send("projects.count", dict(input)))

    @overload
    def create(self, **input: Unpack[t.ProjectsCreateInputWithoutExpand]) -> t.Project: ...

    @overload
    def create(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsCreateInputWithoutExpand]) -> t.ProjectWithOwner: ...

    @overload
    def create(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsCreateInputWithoutExpand]) -> t.ProjectWithMembers: ...

    @overload
    def create(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsCreateInputWithoutExpand]) -> t.ProjectWithCompany: ...

    @overload
    def create(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsCreateInputWithoutExpand]) -> t.ProjectWithTaskCounts: ...

    @overload
    def create(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsCreateInputWithoutExpand]) -> t.ShownProject: ...

    def create(self, **input: Any) -> Any:
        """Create a project. Omitted fields get their defaults. Null empties a list; empty text means null."""
        return self._sender.send("projects.create", dict(input))

    def create_comment(self, **input: Unpack[t.ProjectsCreateCommentInput]) -> t.Comment:
        """Comment on a project. The author is the key of the request."""
        return cast("t.Comment", self._sender.send("projects.create-comment", dict(input)))

    def delete(self, **input: Unpack[t.ProjectsDeleteInput]) -> None:
        """Delete a project. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("projects.delete", dict(input))

    def delete_by_external_id(self, **input: Unpack[t.ProjectsDeleteByExternalIdInput]) -> None:
        """Delete a project by your own id. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("projects.delete-by-external-id", dict(input))

    def delete_comment(self, **input: Unpack[t.ProjectsDeleteCommentInput]) -> None:
        """Delete a comment on a project. A key with the write scope may delete any comment. Deleting it again changes nothing."""
        self._sender.send("projects.delete-comment", dict(input))

    @overload
    def get(self, **input: Unpack[t.ProjectsGetInputWithoutExpand]) -> t.Project: ...

    @overload
    def get(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsGetInputWithoutExpand]) -> t.ProjectWithOwner: ...

    @overload
    def get(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsGetInputWithoutExpand]) -> t.ProjectWithMembers: ...

    @overload
    def get(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsGetInputWithoutExpand]) -> t.ProjectWithCompany: ...

    @overload
    def get(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsGetInputWithoutExpand]) -> t.ProjectWithTaskCounts: ...

    @overload
    def get(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsGetInputWithoutExpand]) -> t.ShownProject: ...

    def get(self, **input: Any) -> Any:
        """Get a project. One project by its id."""
        return self._sender.send("projects.get", dict(input))

    @overload
    def get_by_external_id(self, **input: Unpack[t.ProjectsGetByExternalIdInputWithoutExpand]) -> t.Project: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsGetByExternalIdInputWithoutExpand]) -> t.ProjectWithOwner: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsGetByExternalIdInputWithoutExpand]) -> t.ProjectWithMembers: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsGetByExternalIdInputWithoutExpand]) -> t.ProjectWithCompany: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsGetByExternalIdInputWithoutExpand]) -> t.ProjectWithTaskCounts: ...

    @overload
    def get_by_external_id(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsGetByExternalIdInputWithoutExpand]) -> t.ShownProject: ...

    def get_by_external_id(self, **input: Any) -> Any:
        """Get a project by your own id. One project by the id that it has in the system it came from."""
        return self._sender.send("projects.get-by-external-id", dict(input))

    def get_comment(self, **input: Unpack[t.ProjectsGetCommentInput]) -> t.Comment:
        """Get a comment on a project. One comment by its id and that of the project."""
        return cast("t.Comment", self._sender.send("projects.get-comment", dict(input)))

    def history(self, **input: Unpack[t.ProjectsHistoryInput]) -> Pages[t.ProjectsHistoryItem]:
        """List the changes of a project. Each change of each field, newest first; changes of one request are in the order of its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing. Creating, deleting and restoring change no field; the feed has them."""
        return Pages(lambda more: self._sender.send("projects.history", {**dict(input), **more}))

    @overload
    def list(self, **input: Unpack[t.ProjectsListInputWithoutExpand]) -> Pages[t.Project]: ...

    @overload
    def list(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsListInputWithoutExpand]) -> Pages[t.ProjectWithOwner]: ...

    @overload
    def list(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsListInputWithoutExpand]) -> Pages[t.ProjectWithMembers]: ...

    @overload
    def list(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsListInputWithoutExpand]) -> Pages[t.ProjectWithCompany]: ...

    @overload
    def list(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsListInputWithoutExpand]) -> Pages[t.ProjectWithTaskCounts]: ...

    @overload
    def list(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsListInputWithoutExpand]) -> Pages[t.ShownProject]: ...

    def list(self, **input: Any) -> Pages[Any]:
        """List projects. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by it and send the last value seen as `updatedAfter`, and no change is missed."""
        return Pages[Any](lambda more: self._sender.send("projects.list", {**dict(input), **more}))

    def list_comments(self, **input: Unpack[t.ProjectsListCommentsInput]) -> Pages[t.Comment]:
        """List the comments on a project. Oldest first, unless sorted by `-createdAt`."""
        return Pages(lambda more: self._sender.send("projects.list-comments", {**dict(input), **more}))

    @overload
    def list_tasks(self, **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.Task]: ...

    @overload
    def list_tasks(self, *, expand: List[Literal["project"]], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.TaskWithProject]: ...

    @overload
    def list_tasks(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.TaskWithAssignees]: ...

    @overload
    def list_tasks(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.TaskWithParentTask]: ...

    @overload
    def list_tasks(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.TaskWithBlockedBy]: ...

    @overload
    def list_tasks(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.TaskWithCrmEntities]: ...

    @overload
    def list_tasks(self, *, expand: List[Literal["files"]], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.TaskWithFiles]: ...

    @overload
    def list_tasks(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.ProjectsListTasksInputWithoutExpand]) -> Pages[t.ShownTask]: ...

    def list_tasks(self, **input: Any) -> Pages[Any]:
        """List the tasks of a project. The same as the list of tasks with this project as its filter."""
        return Pages[Any](lambda more: self._sender.send("projects.list-tasks", {**dict(input), **more}))

    def purge(self, **input: Unpack[t.ProjectsPurgeInput]) -> None:
        """Purge a deleted project. Purges the object before its 30 days end: its content is deleted for good, its unique values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its events are kept for their 30 days. Purging it again changes nothing."""
        self._sender.send("projects.purge", dict(input))

    def remove_external_id(self, **input: Unpack[t.ProjectsRemoveExternalIdInput]) -> t.Project:
        """Remove the own id of a project in one system. Returns the object. The ids in other systems stay. Removing it again changes nothing."""
        return cast("t.Project", self._sender.send("projects.remove-external-id", dict(input)))

    @overload
    def restore(self, **input: Unpack[t.ProjectsRestoreInputWithoutExpand]) -> t.Project: ...

    @overload
    def restore(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsRestoreInputWithoutExpand]) -> t.ProjectWithOwner: ...

    @overload
    def restore(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsRestoreInputWithoutExpand]) -> t.ProjectWithMembers: ...

    @overload
    def restore(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsRestoreInputWithoutExpand]) -> t.ProjectWithCompany: ...

    @overload
    def restore(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsRestoreInputWithoutExpand]) -> t.ProjectWithTaskCounts: ...

    @overload
    def restore(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsRestoreInputWithoutExpand]) -> t.ShownProject: ...

    def restore(self, **input: Any) -> Any:
        """Restore a deleted project. Restores it in its earlier state, within 30 days of its deletion."""
        return self._sender.send("projects.restore", dict(input))

    def set_external_id(self, **input: Unpack[t.ProjectsSetExternalIdInput]) -> t.Project:
        """Set the own id of a project in one system. The ids in other systems stay; a former id in this one is replaced. At most 10. Setting it again changes nothing."""
        return cast("t.Project", self._sender.send("projects.set-external-id", dict(input)))

    def unarchive(self, **input: Unpack[t.ProjectsUnarchiveInput]) -> t.Project:
        """Unarchive a project. Shows it in lists again. If the project is not archived, nothing changes."""
        return cast("t.Project", self._sender.send("projects.unarchive", dict(input)))

    @overload
    def update(self, **input: Unpack[t.ProjectsUpdateInputWithoutExpand]) -> t.Project: ...

    @overload
    def update(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsUpdateInputWithoutExpand]) -> t.ProjectWithOwner: ...

    @overload
    def update(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsUpdateInputWithoutExpand]) -> t.ProjectWithMembers: ...

    @overload
    def update(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsUpdateInputWithoutExpand]) -> t.ProjectWithCompany: ...

    @overload
    def update(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsUpdateInputWithoutExpand]) -> t.ProjectWithTaskCounts: ...

    @overload
    def update(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsUpdateInputWithoutExpand]) -> t.ShownProject: ...

    def update(self, **input: Any) -> Any:
        """Change a project. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace; `{'add': […], 'remove': […]}` in place of an array changes a part of the list. Empty text means null."""
        return self._sender.send("projects.update", dict(input))

    def update_comment(self, **input: Unpack[t.ProjectsUpdateCommentInput]) -> t.Comment:
        """Change a comment on a project. A key with the write scope may change any comment; `createdBy` and `updatedBy` show the author and the last editor."""
        return cast("t.Comment", self._sender.send("projects.update-comment", dict(input)))

    @overload
    def upsert(self, **input: Unpack[t.ProjectsUpsertInputWithoutExpand]) -> t.UpsertedProject: ...

    @overload
    def upsert(self, *, expand: List[Literal["owner"]], **input: Unpack[t.ProjectsUpsertInputWithoutExpand]) -> t.UpsertedProjectWithOwner: ...

    @overload
    def upsert(self, *, expand: List[Literal["members"]], **input: Unpack[t.ProjectsUpsertInputWithoutExpand]) -> t.UpsertedProjectWithMembers: ...

    @overload
    def upsert(self, *, expand: List[Literal["company"]], **input: Unpack[t.ProjectsUpsertInputWithoutExpand]) -> t.UpsertedProjectWithCompany: ...

    @overload
    def upsert(self, *, expand: List[Literal["taskCounts"]], **input: Unpack[t.ProjectsUpsertInputWithoutExpand]) -> t.UpsertedProjectWithTaskCounts: ...

    @overload
    def upsert(self, *, expand: List[t.ProjectExpansion], **input: Unpack[t.ProjectsUpsertInputWithoutExpand]) -> t.UpsertedShownProject: ...

    def upsert(self, **input: Any) -> Any:
        """Create or change a project by your own id. Returns 201 if the object was created. If it exists, the given fields are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if it exists, and `If-Match: *` if it does not."""
        return self._sender.send("projects.upsert", dict(input))

    def batch_all(
        self,
        items: Iterable[Dict[str, Any]],
        fields: Optional[Sequence[str]] = None,
        expand: Optional[Sequence[str]] = None,
    ) -> Iterator[t.ProjectResult]:
        """Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items."""
        return cast("Iterator[t.ProjectResult]", batch_all(self._sender, "projects", items, fields, expand))


class RequestsCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get(self, **input: Unpack[t.RequestsGetInput]) -> t.LoggedRequest:
        """Get a request. One request of the API log, with why it was rejected."""
        return cast("t.LoggedRequest", self._sender.send("requests.get", dict(input)))

    def list(self, **input: Unpack[t.RequestsListInput]) -> Pages[t.LoggedRequest]:
        """List requests. The API log, newest first in the order of recording. A request is recorded within seconds of its end. Successful reads are kept for 3 days, changes and rejected requests for 30; if there are too many, some are left out and counted (`leftOut`). Requests that read the log are not in it. One page looks through at most 50,000 requests, so a page can have fewer items than its limit, or none, although there are more (`hasMore`)."""
        return Pages(lambda more: self._sender.send("requests.list", {**dict(input), **more}))


class ResourcesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **input: Unpack[t.ResourcesListInput]) -> Pages[t.Resource]:
        """List workspace resources. The texts about the workspace, by URI. Texts that need a scope which the key lacks are left out."""
        return Pages(lambda more: self._sender.send("resources.list", {**dict(input), **more}))

    def read(self, **input: Unpack[t.ResourcesReadInput]) -> t.ResourcesReadAnswer:
        """Read a workspace resource. Members need the scope `members:read`, custom fields `workspaces:read`. Overview and labels omit what the key may not read."""
        return cast("t.ResourcesReadAnswer", self._sender.send("resources.read", dict(input)))


class SearchCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def query(self, **input: Unpack[t.SearchQueryInput]) -> t.SearchQueryAnswer:
        """Search. Projects, tasks, CRM entities and documents that the key may read, best first. Every word must begin a word of title or text, or stand anywhere in the title; Chinese, Japanese, Korean and Thai are found anywhere in both. Case and accents do not matter. `'annual report'` finds these words one after the other. A title is also found when it is misspelt, a project or task by its key or identifier, and a contact by a telephone number. New and changed objects are found at once."""
        return cast("t.SearchQueryAnswer", self._sender.send("search.query", dict(input)))


class TasksCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def batch(self, **input: Unpack[t.TasksBatchInput]) -> t.TaskResults:
        """Change many tasks at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the object of item 3, which comes before it. Each item counts as one request."""
        return cast("t.TaskResults", self._sender.send("tasks.batch", dict(input)))

    def count(self, **input: Unpack[t.TasksCountInput]) -> t.TasksCountAnswer:
        """Count tasks. The number of matches and the sum of a field, in total and by the values of one or two fields. Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once in `total`."""
        return cast("t.TasksCountAnswer", self._sender.send("tasks.count", dict(input)))

    @overload
    def create(self, **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.Task: ...

    @overload
    def create(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.TaskWithProject: ...

    @overload
    def create(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.TaskWithAssignees: ...

    @overload
    def create(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.TaskWithParentTask: ...

    @overload
    def create(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.TaskWithBlockedBy: ...

    @overload
    def create(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.TaskWithCrmEntities: ...

    @overload
    def create(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.TaskWithFiles: ...

    @overload
    def create(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksCreateInputWithoutExpand]) -> t.ShownTask: ...

    def create(self, **input: Any) -> Any:
        """Create a task. Omitted fields get their defaults. Null empties a list; empty text means null."""
        return self._sender.send("tasks.create", dict(input))

    def create_comment(self, **input: Unpack[t.TasksCreateCommentInput]) -> t.Comment:
        """Comment on a task. The author is the key of the request."""
        return cast("t.Comment", self._sender.send("tasks.create-comment", dict(input)))

    def delete(self, **input: Unpack[t.TasksDeleteInput]) -> None:
        """Delete a task. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("tasks.delete", dict(input))

    def delete_by_external_id(self, **input: Unpack[t.TasksDeleteByExternalIdInput]) -> None:
        """Delete a task by your own id. It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing."""
        self._sender.send("tasks.delete-by-external-id", dict(input))

    def delete_comment(self, **input: Unpack[t.TasksDeleteCommentInput]) -> None:
        """Delete a comment on a task. A key with the write scope may delete any comment. Deleting it again changes nothing."""
        self._sender.send("tasks.delete-comment", dict(input))

    @overload
    def get(self, **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.Task: ...

    @overload
    def get(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.TaskWithProject: ...

    @overload
    def get(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.TaskWithAssignees: ...

    @overload
    def get(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.TaskWithParentTask: ...

    @overload
    def get(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.TaskWithBlockedBy: ...

    @overload
    def get(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.TaskWithCrmEntities: ...

    @overload
    def get(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.TaskWithFiles: ...

    @overload
    def get(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksGetInputWithoutExpand]) -> t.ShownTask: ...

    def get(self, **input: Any) -> Any:
        """Get a task. One task by its id."""
        return self._sender.send("tasks.get", dict(input))

    @overload
    def get_by_external_id(self, **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.Task: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.TaskWithProject: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.TaskWithAssignees: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.TaskWithParentTask: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.TaskWithBlockedBy: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.TaskWithCrmEntities: ...

    @overload
    def get_by_external_id(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.TaskWithFiles: ...

    @overload
    def get_by_external_id(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksGetByExternalIdInputWithoutExpand]) -> t.ShownTask: ...

    def get_by_external_id(self, **input: Any) -> Any:
        """Get a task by your own id. One task by the id that it has in the system it came from."""
        return self._sender.send("tasks.get-by-external-id", dict(input))

    def get_comment(self, **input: Unpack[t.TasksGetCommentInput]) -> t.Comment:
        """Get a comment on a task. One comment by its id and that of the task."""
        return cast("t.Comment", self._sender.send("tasks.get-comment", dict(input)))

    def history(self, **input: Unpack[t.TasksHistoryInput]) -> Pages[t.TasksHistoryItem]:
        """List the changes of a task. Each change of each field, newest first; changes of one request are in the order of its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing. Creating, deleting and restoring change no field; the feed has them."""
        return Pages(lambda more: self._sender.send("tasks.history", {**dict(input), **more}))

    @overload
    def list(self, **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.Task]: ...

    @overload
    def list(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.TaskWithProject]: ...

    @overload
    def list(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.TaskWithAssignees]: ...

    @overload
    def list(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.TaskWithParentTask]: ...

    @overload
    def list(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.TaskWithBlockedBy]: ...

    @overload
    def list(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.TaskWithCrmEntities]: ...

    @overload
    def list(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.TaskWithFiles]: ...

    @overload
    def list(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksListInputWithoutExpand]) -> Pages[t.ShownTask]: ...

    def list(self, **input: Any) -> Pages[Any]:
        """List tasks. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by it and send the last value seen as `updatedAfter`, and no change is missed."""
        return Pages[Any](lambda more: self._sender.send("tasks.list", {**dict(input), **more}))

    def list_comments(self, **input: Unpack[t.TasksListCommentsInput]) -> Pages[t.Comment]:
        """List the comments on a task. Oldest first, unless sorted by `-createdAt`."""
        return Pages(lambda more: self._sender.send("tasks.list-comments", {**dict(input), **more}))

    def purge(self, **input: Unpack[t.TasksPurgeInput]) -> None:
        """Purge a deleted task. Purges the object before its 30 days end: its content is deleted for good, its unique values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its events are kept for their 30 days. Purging it again changes nothing."""
        self._sender.send("tasks.purge", dict(input))

    def remove_external_id(self, **input: Unpack[t.TasksRemoveExternalIdInput]) -> t.Task:
        """Remove the own id of a task in one system. Returns the object. The ids in other systems stay. Removing it again changes nothing."""
        return cast("t.Task", self._sender.send("tasks.remove-external-id", dict(input)))

    @overload
    def restore(self, **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.Task: ...

    @overload
    def restore(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.TaskWithProject: ...

    @overload
    def restore(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.TaskWithAssignees: ...

    @overload
    def restore(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.TaskWithParentTask: ...

    @overload
    def restore(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.TaskWithBlockedBy: ...

    @overload
    def restore(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.TaskWithCrmEntities: ...

    @overload
    def restore(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.TaskWithFiles: ...

    @overload
    def restore(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksRestoreInputWithoutExpand]) -> t.ShownTask: ...

    def restore(self, **input: Any) -> Any:
        """Restore a deleted task. Restores it in its earlier state, within 30 days of its deletion."""
        return self._sender.send("tasks.restore", dict(input))

    def set_external_id(self, **input: Unpack[t.TasksSetExternalIdInput]) -> t.Task:
        """Set the own id of a task in one system. The ids in other systems stay; a former id in this one is replaced. At most 10. Setting it again changes nothing."""
        return cast("t.Task", self._sender.send("tasks.set-external-id", dict(input)))

    @overload
    def update(self, **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.Task: ...

    @overload
    def update(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.TaskWithProject: ...

    @overload
    def update(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.TaskWithAssignees: ...

    @overload
    def update(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.TaskWithParentTask: ...

    @overload
    def update(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.TaskWithBlockedBy: ...

    @overload
    def update(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.TaskWithCrmEntities: ...

    @overload
    def update(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.TaskWithFiles: ...

    @overload
    def update(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksUpdateInputWithoutExpand]) -> t.ShownTask: ...

    def update(self, **input: Any) -> Any:
        """Change a task. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace; `{'add': […], 'remove': […]}` in place of an array changes a part of the list. Empty text means null."""
        return self._sender.send("tasks.update", dict(input))

    def update_comment(self, **input: Unpack[t.TasksUpdateCommentInput]) -> t.Comment:
        """Change a comment on a task. A key with the write scope may change any comment; `createdBy` and `updatedBy` show the author and the last editor."""
        return cast("t.Comment", self._sender.send("tasks.update-comment", dict(input)))

    @overload
    def upsert(self, **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTask: ...

    @overload
    def upsert(self, *, expand: List[Literal["project"]], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTaskWithProject: ...

    @overload
    def upsert(self, *, expand: List[Literal["assignees"]], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTaskWithAssignees: ...

    @overload
    def upsert(self, *, expand: List[Literal["parentTask"]], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTaskWithParentTask: ...

    @overload
    def upsert(self, *, expand: List[Literal["blockedBy"]], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTaskWithBlockedBy: ...

    @overload
    def upsert(self, *, expand: List[Literal["crmEntities"]], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTaskWithCrmEntities: ...

    @overload
    def upsert(self, *, expand: List[Literal["files"]], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedTaskWithFiles: ...

    @overload
    def upsert(self, *, expand: List[t.TaskExpansion], **input: Unpack[t.TasksUpsertInputWithoutExpand]) -> t.UpsertedShownTask: ...

    def upsert(self, **input: Any) -> Any:
        """Create or change a task by your own id. Returns 201 if the object was created. If it exists, the given fields are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if it exists, and `If-Match: *` if it does not."""
        return self._sender.send("tasks.upsert", dict(input))

    def batch_all(
        self,
        items: Iterable[Dict[str, Any]],
        fields: Optional[Sequence[str]] = None,
        expand: Optional[Sequence[str]] = None,
    ) -> Iterator[t.TaskResult]:
        """Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items."""
        return cast("Iterator[t.TaskResult]", batch_all(self._sender, "tasks", items, fields, expand))


class WebhooksCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(self, **input: Unpack[t.WebhooksCreateInput]) -> t.WebhookWithSecret:
        """Create a webhook. The signing secret is shown only in this response. A key can subscribe only to events that it may read."""
        return cast("t.WebhookWithSecret", self._sender.send("webhooks.create", dict(input)))

    def delete(self, **input: Unpack[t.WebhooksDeleteInput]) -> None:
        """Delete a webhook. Pending deliveries are cancelled. Deleting it again changes nothing. The key must be able to read every event type of the webhook."""
        self._sender.send("webhooks.delete", dict(input))

    def enable(self, **input: Unpack[t.WebhooksEnableInput]) -> t.Webhook:
        """Enable a paused or disabled webhook. Pending deliveries are sent. The count of failures is reset. The key must be able to read every event type of the webhook."""
        return cast("t.Webhook", self._sender.send("webhooks.enable", dict(input)))

    def get(self, **input: Unpack[t.WebhooksGetInput]) -> t.Webhook:
        """Get a webhook. One webhook by its id. The key must be able to read every event type of the webhook."""
        return cast("t.Webhook", self._sender.send("webhooks.get", dict(input)))

    def get_inspected_request(self, **input: Unpack[t.WebhooksGetInspectedRequestInput]) -> t.InspectedRequestWithBody:
        """Get a request that the inspector received. One request with its body. The key must be able to read every event type of the webhook."""
        return cast("t.InspectedRequestWithBody", self._sender.send("webhooks.get-inspected-request", dict(input)))

    def list(self, **input: Unpack[t.WebhooksListInput]) -> Pages[t.Webhook]:
        """List webhooks. Newest first. A key sees only webhooks of which it may read every event type."""
        return Pages(lambda more: self._sender.send("webhooks.list", {**dict(input), **more}))

    def list_inspected_requests(self, **input: Unpack[t.WebhooksListInspectedRequestsInput]) -> t.WebhooksListInspectedRequestsAnswer:
        """List what the inspector received. The requests of a webhook that is sent to the inspector (`https://inspector.invalid/`, in sandboxes), newest first and without their bodies. The last 100 requests of each webhook are kept for 30 days, or fewer if their bodies take more than 16 MiB. The key must be able to read every event type of the webhook."""
        return cast("t.WebhooksListInspectedRequestsAnswer", self._sender.send("webhooks.list-inspected-requests", dict(input)))

    def pause(self, **input: Unpack[t.WebhooksPauseInput]) -> t.Webhook:
        """Pause a webhook. Deliveries wait until it is enabled again, for at most 72 hours. The key must be able to read every event type of the webhook."""
        return cast("t.Webhook", self._sender.send("webhooks.pause", dict(input)))

    def recover(self, **input: Unpack[t.WebhooksRecoverInput]) -> t.ReplayJob:
        """Recover a webhook since a time. Starts a job that sends again what was created since that time and has not been delivered: dead letters, and deliveries that wait for their next attempt. It is a replay job, with a filter by this webhook; a dry run of `deliveries.replay-many` counts them before."""
        return cast("t.ReplayJob", self._sender.send("webhooks.recover", dict(input)))

    def resume(self, **input: Unpack[t.WebhooksResumeInput]) -> t.Webhook:
        """Resume a failing webhook at once. For an endpoint that works again: closes the circuit, and sends the deliveries that wait for their next attempt, at most the next 10,000, within about a second. No delivery loses or gains attempts. A `healthy` webhook does not change. `webhooks.enable` is for one that is paused or disabled. The key must be able to read every event type of the webhook."""
        return cast("t.Webhook", self._sender.send("webhooks.resume", dict(input)))

    def revoke_grants(self, **input: Unpack[t.WebhooksRevokeGrantsInput]) -> t.Webhook:
        """Revoke scopes of a webhook. Events that need a revoked scope are no longer delivered, and their pending deliveries are cancelled. Without `scopes`, all scopes are revoked. Revoking a scope that is not granted changes nothing. Sending the `eventTypes` of the webhook again grants the scopes that they need. The key must be able to read every event type of the webhook."""
        return cast("t.Webhook", self._sender.send("webhooks.revoke-grants", dict(input)))

    def rotate_secret(self, **input: Unpack[t.WebhooksRotateSecretInput]) -> t.WebhookWithSecret:
        """Rotate the signing secret of a webhook. For `overlapHours` every delivery is signed with the old secret as well. The key must be able to read every event type of the webhook."""
        return cast("t.WebhookWithSecret", self._sender.send("webhooks.rotate-secret", dict(input)))

    def stats(self, **input: Unpack[t.WebhooksStatsInput]) -> t.WebhookStats:
        """Get the last 24 hours of a webhook. Deliveries by the hour in which they were created, oldest first, the current hour last. Percentiles are of the time that the endpoint took to accept a delivery; in hours with very many deliveries, of the newest ones. The key must be able to read every event type of the webhook."""
        return cast("t.WebhookStats", self._sender.send("webhooks.stats", dict(input)))

    def test(self, **input: Unpack[t.WebhooksTestInput]) -> t.WebhooksTestAnswer:
        """Send a test delivery. Signed and sent like a real delivery, to this webhook only. With `eventType` it is an example of that type, whether or not the webhook subscribes to it, and has `test`; without it, a `webhooks.test`. In the feed it is a `webhooks.test` in both cases. The key must be able to read every event type of the webhook."""
        return cast("t.WebhooksTestAnswer", self._sender.send("webhooks.test", dict(input)))

    def update(self, **input: Unpack[t.WebhooksUpdateInput]) -> t.ChangedWebhook:
        """Change a webhook. A JSON Merge Patch. `headers`, if given, replaces all of them. If scheme, host or port of `url` change, headers that are not sent again are dropped, and all secrets are replaced by the one in the response. Sending `eventTypes` grants the scopes that they need. The key must be able to read every event type of the webhook."""
        return cast("t.ChangedWebhook", self._sender.send("webhooks.update", dict(input)))


class WorkspacesCalls:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get_current(self) -> t.WorkspaceWithUsage:
        """Get the current workspace. The workspace of the request, with its limits and quotas, and how much of each quota is used."""
        return cast("t.WorkspaceWithUsage", self._sender.send("workspaces.get-current", {}))

    def reset(self) -> t.Workspace:
        """Reset the current sandbox. Removes all projects, tasks, CRM entities, documents, comments and custom fields of the sandbox, deleted ones included, and fills it with the sample data again. API keys, webhooks, members, files, events and deliveries stay. Returns `invalid_transition` in a workspace that is not a sandbox."""
        return cast("t.Workspace", self._sender.send("workspaces.reset", {}))

    def update_current(self, **input: Unpack[t.WorkspacesUpdateCurrentInput]) -> t.Workspace:
        """Change the current workspace. Name, time zone, currency and country. After a change of the country, the telephone numbers of CRM entities are read anew in the background, some thousands in a few seconds. Slug, key policy, rate limit and suspension are changed in the workspace settings only."""
        return cast("t.Workspace", self._sender.send("workspaces.update-current", dict(input)))


class Calls:
    """Every call, by its collection."""

    def __init__(self, sender: Sender) -> None:
        self.audit_entries = AuditEntriesCalls(sender)
        self.comments = CommentsCalls(sender)
        self.crm_entities = CrmEntitiesCalls(sender)
        self.custom_fields = CustomFieldsCalls(sender)
        self.deliveries = DeliveriesCalls(sender)
        self.documents = DocumentsCalls(sender)
        self.event_types = EventTypesCalls(sender)
        self.events = EventsCalls(sender)
        self.files = FilesCalls(sender)
        self.jobs = JobsCalls(sender)
        self.me = MeCalls(sender)
        self.members = MembersCalls(sender)
        self.projects = ProjectsCalls(sender)
        self.requests = RequestsCalls(sender)
        self.resources = ResourcesCalls(sender)
        self.search = SearchCalls(sender)
        self.tasks = TasksCalls(sender)
        self.webhooks = WebhooksCalls(sender)
        self.workspaces = WorkspacesCalls(sender)
