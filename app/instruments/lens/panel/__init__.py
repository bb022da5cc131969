"""The Lens instrument: trees and islands in colours, why each is awake, and what would let it sleep."""
