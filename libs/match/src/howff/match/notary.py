"""Who makes a commit checkable: seals its secrets, hashes it and signs it."""

from dataclasses import dataclass, field

from howff.engine.game import AnyGame
from howff.engine.values import replace
from howff.match.chain import hash_of_whole
from howff.match.commit import Commit
from howff.match.events import covered_fields
from howff.match.signatures import Signer


@dataclass(frozen=True, slots=True)
class Notary:
    """The seed of a match, and the key that signs its commits."""

    seed: bytes = field(repr=False)
    signer: Signer

    def attest(self, commit: Commit, game: AnyGame) -> Commit:
        """Return *commit* with its hash and a signature."""
        commit_hash = hash_of_whole(commit, covered_fields(game.event), self.seed)
        signature = self.signer.sign(
            match=commit.match, version=commit.version, commit_hash=commit_hash
        )
        return replace(commit, hash=commit_hash, key=self.signer.id, signature=signature)
