"""Machines and bodies that a call acts on: its name says that it acts, an argument on what."""

from collections.abc import Iterator
from itertools import chain

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

ACTS = word_set(
    "set write control actuate adjust override open close start stop raise lower increase decrease "
    "toggle command force put change update run trip vent turn switch mute silence "
    "release disable suspend"
)
"""Words of a name without one of which nothing is moved."""

_PLANTS = word_set(
    "boiler boilers furnace reactor reactors turbine turbines kiln autoclave centrifuge dam "
    "spillway sluice floodgate penstock substation plc scada modbus rtu chlorine chlorinator "
    "chlorination smelter refinery compressor crane railway interlocking pressurizer "
    "scram coolant flare digester dosing"
)
_BODIES = word_set(
    "icu nicu ventilator respirator infusion pacemaker defibrillator dialysis anesthesia "
    "anaesthesia ecmo insulin morphine fentanyl propofol heparin potassium ketamine oxytocin "
    "vasopressor norepinephrine opioid epinephrine incubator vaccine vaccines"
)
_KEYS = word_set(
    "device id name target gate valve equipment unit machine asset drug medication medicine "
    "substance tag point system pump controller monitor site plant bed component actuator "
    "location loop channel zone room freezer fridge"
)
_TALKS = word_set(
    "reminder note ticket calendar event task todo title description report alert notification "
    "status page doc document record metadata tags schedule label labels comment message"
)
"""Beside these it is only spoken of."""

MAX_SAID = 60


def moved(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it acts on, as a reason; `named`: the words of the tool's name."""
    if not _TALKS.isdisjoint(named):
        return
    said = (word for leaf in leaves if _says_what(leaf) for word in words_of(leaf.value))
    things = frozenset(chain(named, said))
    if not _BODIES.isdisjoint(things):
        yield "acts on somebody's body"
    if not _PLANTS.isdisjoint(things):
        yield "acts on a plant that people stand beside"


def _says_what(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_SAID:
        return False
    return not _KEYS.isdisjoint(words_of(leaf.key))
