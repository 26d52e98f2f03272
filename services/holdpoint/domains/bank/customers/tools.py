"""The customers' tools."""

from functools import partial

from holdpoint.core.tool import Result, Run, RunContext, tool
from holdpoint.domains.bank.customer_records import living_customer
from holdpoint.domains.bank.customers import changes, formatters
from holdpoint.domains.bank.customers.schemas import (
    AddContact,
    ChangeShippingAddress,
    FindCustomer,
    OfCustomer,
    UpdateNotificationPreferences,
    UpdateProfile,
)
from holdpoint.domains.bank.naming import named
from holdpoint.domains.bank.operations import Change, read
from holdpoint.domains.bank.pending import presented
from holdpoint.messages.catalog import Repeat

DOMAIN = "customers"
_CONTACT = Change(
    name="add_contact", state=living_customer, work=changes.add_contact,
    told=formatters.contact_added,
)  # fmt: skip
_ADDRESS = Change(
    name="change_shipping_address", state=living_customer, work=changes.change_address,
    told=formatters.changed,
)  # fmt: skip
_PROFILE = Change(
    name="update_profile", state=living_customer, work=changes.update_profile,
    told=formatters.changed,
)  # fmt: skip
_NOTIFY = Change(
    name="update_notification_preferences", state=living_customer,
    work=changes.set_notifications, told=formatters.notified,
)  # fmt: skip
_DELETE = Change(
    name="delete_all_data", state=changes.without_accounts, work=changes.delete_all,
    told=formatters.deleted,
)  # fmt: skip


@tool(
    **named(DOMAIN, "find_customer"),
    level=1,
    template="find customer {query}",
    schema=FindCustomer,
    repeat=Repeat.IDEMPOTENT,
)
async def find_customer(arguments: FindCustomer, context: RunContext) -> Result:
    """Find customers by a part of their name, email or id."""
    return await read(arguments, context, changes.found, formatters.listing)


@tool(
    **named(DOMAIN, "add_contact"),
    level=2,
    template="add {name} to the contacts of {customer_id}",
    schema=AddContact,
    repeat=Repeat.LOOKUP,
    lookup=_CONTACT.lookup,
)
async def add_contact(arguments: AddContact, context: RunContext) -> Result:
    """Add somebody whom the customer pays."""
    return await _CONTACT.run(arguments, context)


@tool(
    **named(DOMAIN, "change_shipping_address"),
    level=3,
    template="change the address of {customer_id} to {address}",
    effect="changes where mail is sent",
    schema=ChangeShippingAddress,
    repeat=Repeat.LOOKUP,
    plan=_ADDRESS.plan,
    lookup=_ADDRESS.lookup,
)
async def change_shipping_address(arguments: ChangeShippingAddress, context: RunContext) -> Result:
    """Change where the customer's cards and letters go."""
    return await _ADDRESS.run(arguments, context)


@tool(
    **named(DOMAIN, "update_profile"),
    level=3,
    template="update the profile of {customer_id}",
    effect="changes how a customer is reached",
    schema=UpdateProfile,
    repeat=Repeat.LOOKUP,
    plan=_PROFILE.plan,
    lookup=_PROFILE.lookup,
)
async def update_profile(arguments: UpdateProfile, context: RunContext) -> Result:
    """Change a customer's name, email or phone number."""
    return await _PROFILE.run(arguments, context)


@tool(
    **named(DOMAIN, "update_notification_preferences"),
    level=3,
    template="change the notifications of {customer_id}",
    effect="changes what a customer is told of",
    schema=UpdateNotificationPreferences,
    repeat=Repeat.LOOKUP,
    plan=_NOTIFY.plan,
    lookup=_NOTIFY.lookup,
)
async def update_notification_preferences(
    arguments: UpdateNotificationPreferences, context: RunContext
) -> Result:
    """Choose the channels on which a customer is told of a topic."""
    return await _NOTIFY.run(arguments, context)


@tool(
    **named(DOMAIN, "delete_all_data"),
    level=5,
    template="delete all personal data of {customer_id}",
    effect="deletes a customer's personal data",
    schema=OfCustomer,
    repeat=Repeat.LOOKUP,
    plan=_DELETE.plan,
    lookup=_DELETE.lookup,
    pending=partial(
        presented, "delete_all_data", "Delete all personal data of {customer_name} ({customer_id})",
        "I'd like to delete all personal data of {customer_name}. This cannot be undone. "
        "Shall I proceed?",
    ),
)  # fmt: skip
async def delete_all_data(arguments: OfCustomer, context: RunContext) -> Result:
    """Delete a customer's personal data for good; all accounts must be closed."""
    return await _DELETE.run(arguments, context)


TOOLS: tuple[Run, ...] = (
    find_customer, add_contact, change_shipping_address, update_profile,
    update_notification_preferences, delete_all_data,
)  # fmt: skip
