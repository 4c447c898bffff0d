// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title Hashes of documents, and tokens that evidence them
/// @notice A token shows that a document existed and to whom it was given. It is not legal title to a property.
contract AcreRegistry is ERC721URIStorage, AccessControl, Pausable {
    /// Who may anchor and mint.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    /// What this source can do, for those who read the contract.
    uint256 public constant VERSION = 1;

    /// The time (Unix seconds) at which a hash, or the Merkle root of many, was anchored; 0 for one that never was.
    mapping(bytes32 hash => uint256 time) public anchoredAt;
    /// The token of a key; 0 for none, since tokens start at 1.
    mapping(bytes32 key => uint256 tokenId) public tokenOf;
    /// Tokens made so far, which is the id of the newest one.
    uint256 public totalMinted;

    string private _base = "ipfs://";

    event Anchored(bytes32 indexed hash, uint256 time);
    event Minted(bytes32 indexed key, uint256 indexed tokenId, address indexed to);
    event BaseURIChanged(string base);

    error AlreadyAnchored(bytes32 hash, uint256 time);
    error AlreadyMinted(bytes32 key, uint256 tokenId);
    error EmptyHash();

    /// @param owner decides on roles, the pause and the base address
    /// @param minter anchors and mints
    constructor(address owner, address minter) ERC721("Acre Registry", "ACRE") {
        _grantRole(DEFAULT_ADMIN_ROLE, owner);
        _grantRole(MINTER_ROLE, minter);
    }

    /// Anchors a hash, once: its time never changes.
    function anchor(bytes32 hash) external onlyRole(MINTER_ROLE) whenNotPaused {
        if (hash == 0) revert EmptyHash();
        if (anchoredAt[hash] != 0) revert AlreadyAnchored(hash, anchoredAt[hash]);
        anchoredAt[hash] = block.timestamp;
        emit Anchored(hash, block.timestamp);
    }

    /// Makes the token of a key, once, whoever asks again.
    function mint(address to, bytes32 key, string calldata uri)
        external
        onlyRole(MINTER_ROLE)
        whenNotPaused
        returns (uint256 tokenId)
    {
        if (key == 0) revert EmptyHash();
        if (tokenOf[key] != 0) revert AlreadyMinted(key, tokenOf[key]);
        tokenId = ++totalMinted;
        tokenOf[key] = tokenId;
        _setTokenURI(tokenId, uri);
        emit Minted(key, tokenId, to);
        _safeMint(to, tokenId);
    }

    function pause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }

    /// What the address of a token's metadata begins with.
    function setBaseURI(string calldata base) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _base = base;
        emit BaseURIChanged(base);
    }

    function baseURI() external view returns (string memory) {
        return _base;
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721URIStorage, AccessControl) returns (bool) {
        return super.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return _base;
    }

    /// Nothing is made or moved while the contract is paused.
    function _update(address to, uint256 tokenId, address auth) internal override whenNotPaused returns (address) {
        return super._update(to, tokenId, auth);
    }
}
