// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/**
 * What accounts sign, as EIP-712 encodes it (src/venue/outcome/wire/typedData.ts): a text stands as the keccak-256 of its bytes, the
 * legs as the hash of their array. Amounts are microUSDC, rates basis points, times whole seconds of Unix time.
 */
struct Quote {
    bytes32 maker;
    bytes32 rfqId;
    uint64 generation;
    uint256 netStake;
    uint256 payout;
    uint64 takerFeeBps;
    uint64 feeBps;
    uint64 expiry;
    bytes32 legsHash;
}

struct Acceptance {
    bytes32 taker;
    bytes32 rfqId;
    bytes32 quoteId;
    bytes32 acceptanceId;
    uint256 stake;
    uint256 core;
    uint256 payout;
    uint64 takerFeeBps;
    uint64 feeBps;
    uint64 validAfter;
    uint64 validBefore;
}

struct Confirmation {
    bytes32 maker;
    bytes32 rfqId;
    bytes32 quoteId;
    bytes32 acceptanceId;
    uint256 payout;
    uint64 takerFeeBps;
    uint64 feeBps;
}

struct CashoutQuote {
    bytes32 maker;
    bytes32 rfqId;
    uint64 generation;
    bytes32 positionId;
    uint256 price;
    uint64 feeBps;
    uint64 expiry;
    bytes32 legsHash;
}

struct CashoutAcceptance {
    bytes32 seller;
    bytes32 rfqId;
    bytes32 quoteId;
    bytes32 acceptanceId;
    uint256 price;
    uint64 feeBps;
    bytes32 positionId;
}

struct CashoutConfirmation {
    bytes32 maker;
    bytes32 rfqId;
    bytes32 quoteId;
    bytes32 acceptanceId;
    uint256 price;
    uint64 feeBps;
    bytes32 positionId;
}

struct Withdrawal {
    bytes32 account;
    uint256 amount;
    uint64 takerFeeBps;
    uint64 feeBps;
    uint64 validAfter;
    uint64 validBefore;
    bytes32 requestKey;
}

struct ExitWithdrawal {
    bytes32 account;
    uint256 amount;
    uint64 takerFeeBps;
    uint64 feeBps;
    uint64 exitExpiry;
    uint64 validAfter;
    uint64 validBefore;
    bytes32 requestKey;
}

struct CollateralReduction {
    bytes32 maker;
    uint256 amount;
    uint64 takerFeeBps;
    uint64 feeBps;
    bytes32 requestKey;
}

/** Hashes of the signed types, and who signed them. */
library Terms {
    /** Length of a signature: r, s and v. */
    uint256 private constant SIGNATURE_BYTES = 65;
    /** Half of the order of secp256k1: a greater s is the twin of a smaller one. */
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant DOMAIN_NAME = keccak256("Outcome-Market RFQ");
    bytes32 private constant DOMAIN_VERSION = keccak256("1");

    bytes32 private constant QUOTE_TYPE = keccak256(
        "Quote(string maker,string rfqId,uint64 generation,uint256 netStake,uint256 payout,uint64 takerFeeBps,uint64 feeBps,uint64 expiry,Leg[] legs)Leg(string outcomeId,string side)"
    );
    bytes32 private constant ACCEPTANCE_TYPE = keccak256(
        "Acceptance(string taker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 stake,uint256 core,uint256 payout,uint64 takerFeeBps,uint64 feeBps,uint64 validAfter,uint64 validBefore)"
    );
    bytes32 private constant CONFIRMATION_TYPE = keccak256(
        "Confirmation(string maker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 payout,uint64 takerFeeBps,uint64 feeBps)"
    );
    bytes32 private constant CASHOUT_QUOTE_TYPE = keccak256(
        "CashoutQuote(string maker,string rfqId,uint64 generation,bytes32 positionId,uint256 price,uint64 feeBps,uint64 expiry,Leg[] legs)Leg(string outcomeId,string side)"
    );
    bytes32 private constant CASHOUT_ACCEPTANCE_TYPE = keccak256(
        "CashoutAcceptance(string seller,string rfqId,bytes32 quoteId,string acceptanceId,uint256 price,uint64 feeBps,bytes32 positionId)"
    );
    bytes32 private constant CASHOUT_CONFIRMATION_TYPE = keccak256(
        "CashoutConfirmation(string maker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 price,uint64 feeBps,bytes32 positionId)"
    );
    bytes32 private constant WITHDRAWAL_TYPE = keccak256(
        "Withdrawal(string account,uint256 amount,uint64 takerFeeBps,uint64 feeBps,uint64 validAfter,uint64 validBefore,string requestKey)"
    );
    bytes32 private constant EXIT_WITHDRAWAL_TYPE = keccak256(
        "ExitWithdrawal(string account,uint256 amount,uint64 takerFeeBps,uint64 feeBps,uint64 exitExpiry,uint64 validAfter,uint64 validBefore,string requestKey)"
    );
    bytes32 private constant REDUCTION_TYPE =
        keccak256("CollateralReduction(string maker,uint256 amount,uint64 takerFeeBps,uint64 feeBps,string requestKey)");
    bytes32 private constant REGISTRATION_TYPE = keccak256("Registration(string account,address owner,address quoteSigner)");
    bytes32 private constant QUOTE_SIGNER_TYPE = keccak256("QuoteSignerChange(string account,address quoteSigner,uint64 since,uint64 nonce)");
    /** Its digest is the nonce of the EIP-3009 authorization that funds a deposit: that names the vault and whom it credits. */
    bytes32 private constant DEPOSIT_TYPE = keccak256("Deposit(string account,string depositId)");

    error MalformedSignature();
    error WrongSigner(address expected, address actual);

    function hashOf(Quote calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(QUOTE_TYPE, terms));
    }

    function hashOf(Acceptance calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(ACCEPTANCE_TYPE, terms));
    }

    function hashOf(Confirmation calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(CONFIRMATION_TYPE, terms));
    }

    function hashOf(CashoutQuote calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(CASHOUT_QUOTE_TYPE, terms));
    }

    function hashOf(CashoutAcceptance calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(CASHOUT_ACCEPTANCE_TYPE, terms));
    }

    function hashOf(CashoutConfirmation calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(CASHOUT_CONFIRMATION_TYPE, terms));
    }

    function hashOf(Withdrawal calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(WITHDRAWAL_TYPE, terms));
    }

    function hashOf(ExitWithdrawal calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(EXIT_WITHDRAWAL_TYPE, terms));
    }

    function hashOf(CollateralReduction calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(REDUCTION_TYPE, terms));
    }

    function hashOfRegistration(bytes32 accountId, address owner, address quoteSigner) internal pure returns (bytes32) {
        return keccak256(abi.encode(REGISTRATION_TYPE, accountId, owner, quoteSigner));
    }

    function hashOfQuoteSigner(bytes32 accountId, address quoteSigner, uint64 since, uint64 nonce) internal pure returns (bytes32) {
        return keccak256(abi.encode(QUOTE_SIGNER_TYPE, accountId, quoteSigner, since, nonce));
    }

    function hashOfDeposit(bytes32 accountId, bytes32 depositId) internal pure returns (bytes32) {
        return keccak256(abi.encode(DEPOSIT_TYPE, accountId, depositId));
    }

    /** The digest that is signed: of this chain and this vault. */
    function digestOf(bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, DOMAIN_NAME, DOMAIN_VERSION, block.chainid, address(this)));
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    /** Reverts unless `signer` signed the struct. */
    function requireSigned(bytes32 structHash, bytes calldata signature, address signer) internal view {
        address actual = signerOf(structHash, signature);
        if (actual != signer) revert WrongSigner(signer, actual);
    }

    /** Who signed the struct; 65 bytes r, s, v with s in the lower half and v 27 or 28. */
    function signerOf(bytes32 structHash, bytes calldata signature) internal view returns (address signer) {
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        signer = ecrecover(digestOf(structHash), v, r, s);
        if (signer == address(0)) revert MalformedSignature();
    }

    function split(bytes calldata signature) internal pure returns (uint8 v, bytes32 r, bytes32 s) {
        if (signature.length != SIGNATURE_BYTES) revert MalformedSignature();
        r = bytes32(signature[0:32]);
        s = bytes32(signature[32:64]);
        v = uint8(signature[64]);
        if (uint256(s) > HALF_ORDER || (v != 27 && v != 28)) revert MalformedSignature();
    }
}
