"""A server on the official Python SDK, 1.x or 2.x, with the kinds of output, form and failure that its users write.

    python3 server.py            on stdin and stdout
    python3 server.py PORT       over HTTP
"""

import enum
import sys
from typing import Annotated, Literal, TypedDict

import pydantic

try:  # 2.x
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.prompts.base import AssistantMessage, UserMessage

    modern = True
except ImportError:  # 1.x
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as MCPServer
    from mcp.server.fastmcp.prompts.base import AssistantMessage, UserMessage

    modern = False

from mcp.types import Completion, ToolAnnotations

server = MCPServer("kitchen", instructions="Ask for the menu before you order.")


class Weather(pydantic.BaseModel):
    """What it is like outside."""

    city: str
    degrees: float = pydantic.Field(description="in Celsius", ge=-90)
    sky: Literal["clear", "cloudy"] = "clear"
    wind: float | None = None


class Place(TypedDict, total=False):
    name: str
    seats: int


class Size(enum.Enum):
    small = "s"
    large = "l"


@server.tool(title="Weather", annotations=ToolAnnotations(**{"readOnlyHint": True, "openWorldHint": False}))
def weather(city: str) -> Weather:
    """The weather of a city."""
    return Weather(city=city, degrees=21.5)


@server.tool()
def primes(below: Annotated[int, pydantic.Field(description="exclusive", gt=1)] = 10) -> list[int]:
    """A list, which is no object."""
    return [n for n in range(2, below) if all(n % d for d in range(2, n))]


@server.tool()
def sum_of(a: int, b: int = 2) -> int:
    """A number, which is no object."""
    return a + b


@server.tool()
def stock(size: Size = Size.small) -> dict[str, int]:
    """A map."""
    return {"tea": 3, "größe " + size.value: 4}


@server.tool()
def place() -> Place:
    """A typed dictionary."""
    return {"name": "café <&> \u2028 ☕", "seats": 12}


@server.tool()
def nothing() -> None:
    """Gives nothing."""


@server.tool(structured_output=False)
def plain(words: list[str]) -> str:
    """Text alone."""
    return "\n".join(words)


@server.tool()
def broken() -> str:
    """Fails."""
    raise ValueError("the stove is cold: 'gas' < 0")


@server.tool()
async def slow(ctx: Context, steps: int = 2) -> str:
    """Tells of its progress."""
    for i in range(steps):
        await ctx.report_progress(i + 1, steps, f"step {i + 1}")
    return "done"


@server.tool()
async def chatty(ctx: Context) -> str:
    """Writes log messages."""
    await ctx.debug("looking for the spoon")
    await ctx.warning("no spoon")
    return "logged"


class Order(pydantic.BaseModel):
    drink: str = pydantic.Field(description="What to drink", min_length=2, max_length=20)
    cups: int = pydantic.Field(default=1, ge=1, le=8)
    sugar: bool = False
    milk: float = pydantic.Field(default=0, description="in ml")
    temperature: str = pydantic.Field(default="hot", json_schema_extra={"enum": ["hot", "cold"]})


@server.tool()
async def order(ctx: Context) -> str:
    """Asks with a form."""
    answer = await ctx.elicit("What would you like?", Order)
    return f"{answer.action} {answer.data.model_dump_json()}" if answer.action == "accept" else answer.action


class Extras(pydantic.BaseModel):
    honey: float | None = pydantic.Field(default=None, description="in g")


@server.tool()
async def extras(ctx: Context) -> str:
    """Asks with a form whose field may be null, which is no type of the protocol's forms."""
    return (await ctx.elicit("Anything else?", Extras)).action


@server.tool()
async def pay(ctx: Context) -> str:
    """Sends the person to a page."""
    answer = await ctx.elicit_url("Please pay", "https://pay.example/bill?n=1", "bill-1")
    return answer.action


@server.resource("kitchen://menu", title="Menu", mime_type="text/markdown")
def menu() -> str:
    """What there is."""
    return "# Tea\n"


@server.resource("kitchen://photo", mime_type="image/png")
def photo() -> bytes:
    return bytes([137, 80, 78, 71])


@server.resource("kitchen://recipes/{name}")
def recipe(name: str) -> str:
    """How a dish is made."""
    if name == "none":
        raise ValueError("nobody knows how")
    return f"Boil the {name}."


@server.prompt(title="Plan a meal")
def plan(guests: str, dish: str = "soup") -> list:
    """Plans."""
    return [UserMessage(f"Plan {dish} for {guests}."), AssistantMessage("With bread?")]


@server.completion()
async def complete(ref, argument, context):
    return Completion(values=[d for d in ("salad", "soup", "stew") if d.startswith(argument.value)], total=3)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        server.run(transport="stdio")
    elif modern:
        server.run(transport="streamable-http", port=int(sys.argv[1]))
    else:
        server.settings.port = int(sys.argv[1])
        server.run(transport="streamable-http")
