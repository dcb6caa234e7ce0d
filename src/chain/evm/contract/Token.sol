// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Terms} from "./Terms.sol";

/** What the vault calls of USDC: ERC-20, and EIP-3009 for wallets that have no gas. */
interface Usdc {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/** Moves of the token that revert unless exactly the amount came or went. */
library Token {
    error TokenFailed();
    error TokenMovedWrong(uint256 expected, uint256 actual);

    function pay(Usdc usdc, address to, uint256 amount) internal {
        uint256 before = usdc.balanceOf(address(this));
        call(usdc, abi.encodeCall(Usdc.transfer, (to, amount)));
        requireMoved(before - usdc.balanceOf(address(this)), amount);
    }

    function take(Usdc usdc, address from, uint256 amount) internal {
        uint256 before = usdc.balanceOf(address(this));
        call(usdc, abi.encodeCall(Usdc.transferFrom, (from, address(this), amount)));
        requireMoved(usdc.balanceOf(address(this)) - before, amount);
    }

    /** Nobody but the vault can use such an authorization; when it may, the vault has checked or leaves to `validBefore`. */
    function takeAuthorized(Usdc usdc, address from, uint256 amount, uint256 validBefore, bytes32 nonce, bytes calldata signature)
        internal
    {
        (uint8 v, bytes32 r, bytes32 s) = Terms.split(signature);
        uint256 before = usdc.balanceOf(address(this));
        usdc.receiveWithAuthorization(from, address(this), amount, 0, validBefore, nonce, v, r, s);
        requireMoved(usdc.balanceOf(address(this)) - before, amount);
    }

    /** A token may return nothing; what it returns must not be false. */
    function call(Usdc usdc, bytes memory data) private {
        (bool ok, bytes memory result) = address(usdc).call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        if (result.length > 0 && !abi.decode(result, (bool))) revert TokenFailed();
    }

    function requireMoved(uint256 actual, uint256 expected) private pure {
        if (actual != expected) revert TokenMovedWrong(expected, actual);
    }
}
