// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {
    Acceptance,
    CashoutAcceptance,
    CashoutConfirmation,
    CashoutQuote,
    CollateralReduction,
    Confirmation,
    ExitWithdrawal,
    Quote,
    Terms,
    Withdrawal
} from "./Terms.sol";

/** Shows the digests that the vault makes of its structs. */
contract TermsProbe {
    function digestOfQuote(Quote calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfAcceptance(Acceptance calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfConfirmation(Confirmation calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfCashoutQuote(CashoutQuote calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfCashoutAcceptance(CashoutAcceptance calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfCashoutConfirmation(CashoutConfirmation calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfWithdrawal(Withdrawal calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfExitWithdrawal(ExitWithdrawal calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfCollateralReduction(CollateralReduction calldata terms) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOf(terms));
    }

    function digestOfRegistration(bytes32 accountId, address owner, address quoteSigner) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOfRegistration(accountId, owner, quoteSigner));
    }

    function digestOfQuoteSignerChange(bytes32 accountId, address quoteSigner, uint64 since, uint64 nonce) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOfQuoteSigner(accountId, quoteSigner, since, nonce));
    }

    function digestOfDeposit(bytes32 accountId, bytes32 depositId) external view returns (bytes32) {
        return Terms.digestOf(Terms.hashOfDeposit(accountId, depositId));
    }
}
