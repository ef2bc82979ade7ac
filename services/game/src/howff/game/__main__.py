"""Run the service: `python -m howff.game`."""

from howff.game.app import running_service
from howff.game.settings import Settings
from howff.servicekit.starting import start
from howff.servicekit.web.running import serve_service


async def main(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    await serve_service(running_service(settings), settings)


if __name__ == "__main__":
    start("game", Settings, main)
