// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Account, Accounts, Settings} from "./Accounts.sol";
import {Position, PositionState, Positions} from "./Positions.sol";
import {Terms} from "./Terms.sol";
import {Token, Usdc} from "./Token.sol";

/**
 * Holds the USDC of the outcome service's accounts. Users sign and never send: the operator sends what they signed. Money leaves an
 * account only by its wallet's signature, and the vault only to that wallet. Amounts are microUSDC, times seconds of Unix time.
 */
contract Vault is Positions {
    using Token for Usdc;

    event Collected(address indexed to, uint256 amount);

    error CallFailed(uint256 index, bytes reason);
    error InsufficientHouse(uint256 balance, uint256 amount);

    constructor(Usdc usdc_, address operator_, Settings memory settings) Accounts(usdc_, operator_, settings) {}

    /** Runs calls of this vault in order, all or none; `CallFailed` says which one reverted, and with what. */
    function batch(bytes[] calldata calls) external onlyOperator {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory reason) = address(this).delegatecall(calls[i]);
            if (!ok) revert CallFailed(i, reason);
        }
    }

    /** Pays fees that the house has earned. */
    function collect(uint256 amount, address to) external onlyOperator nonReentrant {
        if (to == address(0) || to == address(this)) revert ZeroAddress();
        uint64 paid = amountOf(amount);
        if (paid > house) revert InsufficientHouse(house, paid);
        house -= paid;
        owed -= paid;
        emit Collected(to, paid);
        usdc.pay(to, paid);
    }

    /** Balances with the reductions that wait. */
    function moneyOf(bytes32[] calldata accountIds) external view returns (uint256[] memory money) {
        money = new uint256[](accountIds.length);
        for (uint256 i = 0; i < accountIds.length; i++) {
            Account storage account = accounts[accountIds[i]];
            money[i] = uint256(account.balance) + account.pending;
        }
    }

    /** Pots and holders of positions; zeros of those that are over or never were. */
    function potsOf(bytes32[] calldata positionIds) external view returns (uint256[] memory pots, bytes32[] memory holders) {
        pots = new uint256[](positionIds.length);
        holders = new bytes32[](positionIds.length);
        for (uint256 i = 0; i < positionIds.length; i++) {
            Position storage position = positions[positionIds[i]];
            if (position.state != PositionState.open && position.state != PositionState.won) continue;
            pots[i] = position.payout;
            holders[i] = position.holder;
        }
    }

    /** What is signed of a struct with this hash. */
    function digestOf(bytes32 structHash) external view returns (bytes32) {
        return Terms.digestOf(structHash);
    }
}
