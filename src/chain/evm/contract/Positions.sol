// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Account, Accounts} from "./Accounts.sol";
import {Acceptance, CashoutAcceptance, CashoutConfirmation, CashoutQuote, Confirmation, Quote, Terms} from "./Terms.sol";
import {Token, Usdc} from "./Token.sol";

/** Where a position stands. Lost, void, claimed and closed are over. */
enum PositionState {
    none,
    open,
    won,
    lost,
    void,
    claimed,
    closed
}

/** What results make of a position. */
enum Outcome {
    lost,
    won,
    void
}

struct Position {
    uint64 netStake;
    uint64 payout;
    /** What the holder's profit is counted from. */
    uint64 basis;
    uint16 feeBps;
    PositionState state;
    bytes32 holder;
    bytes32 backer;
    bytes32 legsHash;
}

/** An entry: the terms that three signatures bind, and the second at which the service took the acceptance. */
struct Fill {
    bytes32 positionId;
    uint64 acceptedAt;
    Quote quote;
    Acceptance acceptance;
    Confirmation confirmation;
    bytes quoteSignature;
    bytes acceptanceSignature;
    bytes confirmationSignature;
    /** EIP-3009 signature of the taker's wallet over the core part, its nonce the acceptance's digest; empty without one. */
    bytes coreSignature;
}

/** The sale of a position. */
struct Cashout {
    uint64 acceptedAt;
    CashoutQuote quote;
    CashoutAcceptance acceptance;
    CashoutConfirmation confirmation;
    bytes quoteSignature;
    bytes acceptanceSignature;
    bytes confirmationSignature;
}

/** Positions, from the terms that open them to what results make of them. */
abstract contract Positions is Accounts {
    using Token for Usdc;

    uint256 public constant BPS = 10_000;

    mapping(bytes32 positionId => Position) public positions;

    event PositionOpened(
        bytes32 indexed positionId, bytes32 indexed holder, bytes32 indexed backer, uint256 stake, uint256 core, uint256 netStake, uint256 payout
    );
    event PositionResolved(bytes32 indexed positionId, Outcome outcome);
    event PositionClaimed(bytes32 indexed positionId, bytes32 indexed holder, uint256 paid, uint256 fee);
    event PositionClosed(bytes32 indexed positionId, bytes32 indexed seller, uint256 price, uint256 fee);
    event PositionTransferred(bytes32 indexed positionId, bytes32 indexed seller, bytes32 indexed buyer, uint256 price, uint256 fee);

    // What these refuse is done already.
    error AlreadyResolved(bytes32 positionId, Outcome outcome);
    error AlreadyClaimed(bytes32 positionId);

    error LengthMismatch(uint256 ids, uint256 outcomes);
    error RateTooHigh(uint64 bps);
    error TermsDiffer(bytes32 field);
    /** Another trade of the quote was made: a quote and a confirmation are good for one. */
    error QuoteUsed(bytes32 maker, bytes32 quoteId);
    error NetStakeWrong(uint256 expected, uint256 actual);
    error PayoutTooLow(uint256 payout, uint256 netStake);
    error CoreTooHigh(uint256 core, uint256 stake);
    error CoreSignatureUnasked();
    error PriceTooHigh(uint256 price, uint256 payout);
    error SameAccount(bytes32 accountId);
    error QuoteExpired(uint64 expiry, uint64 acceptedAt);
    error AcceptedAtWrong(uint64 acceptedAt, uint256 timestamp);
    error PositionExists(bytes32 positionId);
    error PositionNotOpen(bytes32 positionId, PositionState state);
    error PositionNotWon(bytes32 positionId, PositionState state);
    error ResolvedOtherwise(bytes32 positionId, PositionState state);
    error NotHolder(bytes32 positionId, bytes32 accountId);

    /** Opens a position: net stake and risk become its pot, the entry fee the house's. */
    function fill(Fill calldata trade) external onlyOperator nonReentrant {
        Quote calldata quote = trade.quote;
        Acceptance calldata acceptance = trade.acceptance;
        bytes32 acceptanceHash = Terms.hashOf(acceptance);
        bytes32 quoteHash = Terms.hashOf(quote);
        bytes32 content = keccak256(abi.encode(trade.positionId, quoteHash, acceptanceHash));
        useTrade(acceptance.taker, acceptance.acceptanceId, quote.maker, acceptance.quoteId, content);
        if (positions[trade.positionId].state != PositionState.none) revert PositionExists(trade.positionId);
        requireBound(quote, acceptance, trade.confirmation);
        requireAccepted(trade.acceptedAt, quote.expiry);
        requireWindow(acceptance.validAfter, acceptance.validBefore);
        if (acceptance.validAfter > trade.acceptedAt) {
            revert OutsideWindow(acceptance.validAfter, acceptance.validBefore, trade.acceptedAt);
        }
        address taker = known(acceptance.taker).owner;
        requireQuote(quoteHash, trade.quoteSignature, quote.maker, trade.acceptedAt);
        Terms.requireSigned(acceptanceHash, trade.acceptanceSignature, taker);
        requireConfirmation(Terms.hashOf(trade.confirmation), trade.confirmationSignature, quote.maker, trade.acceptedAt);
        open(trade.positionId, quote, acceptance);
        if (acceptance.core > 0) {
            usdc.takeAuthorized(taker, uint64(acceptance.core), acceptance.validBefore, Terms.digestOf(acceptanceHash), trade.coreSignature);
        } else if (trade.coreSignature.length > 0) {
            revert CoreSignatureUnasked();
        }
    }

    /** The backing maker's quote closes the position out of its pot, another maker's takes it over. */
    function cashout(Cashout calldata sale) external onlyOperator nonReentrant {
        CashoutQuote calldata quote = sale.quote;
        CashoutAcceptance calldata acceptance = sale.acceptance;
        bytes32 acceptanceHash = Terms.hashOf(acceptance);
        bytes32 quoteHash = Terms.hashOf(quote);
        bytes32 content = keccak256(abi.encode(quoteHash, acceptanceHash));
        useTrade(acceptance.seller, acceptance.acceptanceId, quote.maker, acceptance.quoteId, content);
        requireSaleBound(quote, acceptance, sale.confirmation);
        requireAccepted(sale.acceptedAt, quote.expiry);
        requireQuote(quoteHash, sale.quoteSignature, quote.maker, sale.acceptedAt);
        Terms.requireSigned(acceptanceHash, sale.acceptanceSignature, known(acceptance.seller).owner);
        requireConfirmation(Terms.hashOf(sale.confirmation), sale.confirmationSignature, quote.maker, sale.acceptedAt);

        Position storage position = positions[quote.positionId];
        if (position.state != PositionState.open) revert PositionNotOpen(quote.positionId, position.state);
        if (position.holder != acceptance.seller) revert NotHolder(quote.positionId, acceptance.seller);
        if (position.feeBps != quote.feeBps) revert TermsDiffer("feeBps");
        if (position.legsHash != quote.legsHash) revert TermsDiffer("legs");
        uint64 price = amountOf(quote.price);
        if (price > position.payout) revert PriceTooHigh(price, position.payout);
        uint64 fee = feeOnCashout ? profitFee(price, position) : 0;
        accounts[acceptance.seller].balance += price - fee;
        house += fee;
        if (quote.maker == position.backer) {
            position.state = PositionState.closed;
            accounts[quote.maker].balance += position.payout - price;
            emit PositionClosed(quote.positionId, acceptance.seller, price, fee);
        } else {
            debit(accounts[quote.maker], quote.maker, price);
            position.holder = quote.maker;
            if (feeOnCashout) position.basis = price;
            emit PositionTransferred(quote.positionId, acceptance.seller, quote.maker, price, fee);
        }
    }

    /** Says what results made of open positions: of lost and void ones the pot is paid, won ones wait for their claim. */
    function resolve(bytes32[] calldata positionIds, Outcome[] calldata outcomes) external onlyOperator nonReentrant {
        requireSameLength(positionIds.length, outcomes.length);
        for (uint256 i = 0; i < positionIds.length; i++) resolveOne(positionIds[i], outcomes[i]);
    }

    /** Resolves and claims in one. */
    function settleMany(bytes32[] calldata positionIds, Outcome[] calldata outcomes) external onlyOperator nonReentrant {
        requireSameLength(positionIds.length, outcomes.length);
        uint64 fees = 0;
        for (uint256 i = 0; i < positionIds.length; i++) {
            resolveOne(positionIds[i], outcomes[i]);
            if (outcomes[i] == Outcome.won) fees += claimOne(positionIds[i]);
        }
        if (fees > 0) house += fees;
    }

    /** Pays a won position into its holder's balance, less the fee on its profit. Anyone may call. */
    function claim(bytes32 positionId) external nonReentrant {
        house += claimOne(positionId);
    }

    function claimMany(bytes32[] calldata positionIds) external nonReentrant {
        uint64 fees = 0;
        for (uint256 i = 0; i < positionIds.length; i++) fees += claimOne(positionIds[i]);
        house += fees;
    }

    function open(bytes32 positionId, Quote calldata quote, Acceptance calldata acceptance) private {
        uint64 stake = amountOf(acceptance.stake);
        uint64 payout = amountOf(quote.payout);
        if (acceptance.core > stake) revert CoreTooHigh(acceptance.core, stake);
        uint64 core = uint64(acceptance.core);
        uint64 fee = feeOf(stake, quote.takerFeeBps);
        uint64 netStake = stake - fee;
        if (quote.netStake != netStake) revert NetStakeWrong(netStake, quote.netStake);
        if (netStake == 0) revert AmountOutOfRange(netStake);
        if (payout <= netStake) revert PayoutTooLow(payout, netStake);
        debit(accounts[acceptance.taker], acceptance.taker, stake - core);
        debit(accounts[quote.maker], quote.maker, payout - netStake);
        if (core > 0) owe(core);
        house += fee;
        positions[positionId] = Position({
            netStake: netStake,
            payout: payout,
            basis: profitOverGross ? stake : netStake,
            feeBps: uint16(quote.feeBps),
            state: PositionState.open,
            holder: acceptance.taker,
            backer: quote.maker,
            legsHash: quote.legsHash
        });
        emit PositionOpened(positionId, acceptance.taker, quote.maker, stake, core, netStake, payout);
    }

    function resolveOne(bytes32 positionId, Outcome outcome) private {
        Position storage position = positions[positionId];
        requireUnresolved(positionId, position.state, outcome);
        if (outcome == Outcome.won) {
            position.state = PositionState.won;
        } else if (outcome == Outcome.lost) {
            position.state = PositionState.lost;
            accounts[position.backer].balance += position.payout;
        } else {
            position.state = PositionState.void;
            accounts[position.holder].balance += position.netStake;
            accounts[position.backer].balance += position.payout - position.netStake;
        }
        emit PositionResolved(positionId, outcome);
    }

    /** Returns the fee, which the caller gives to the house. */
    function claimOne(bytes32 positionId) private returns (uint64 fee) {
        Position storage position = positions[positionId];
        PositionState state = position.state;
        if (state == PositionState.claimed) revert AlreadyClaimed(positionId);
        if (state != PositionState.won) revert PositionNotWon(positionId, state);
        fee = profitFee(position.payout, position);
        uint64 paid = position.payout - fee;
        position.state = PositionState.claimed;
        accounts[position.holder].balance += paid;
        emit PositionClaimed(positionId, position.holder, paid, fee);
    }

    /** floor(max(0, amount − basis) × rate ∕ 10,000). */
    function profitFee(uint64 amount, Position storage position) private view returns (uint64) {
        uint64 basis = position.basis;
        return amount > basis ? feeOf(amount - basis, position.feeBps) : 0;
    }

    function feeOf(uint64 amount, uint64 bps) private pure returns (uint64) {
        return uint64((uint256(amount) * bps) / BPS);
    }

    /** Spends both sides: the taker's acceptance first, so that what is sent again is done, then the quote, of which there is one trade. */
    function useTrade(bytes32 taker, bytes32 acceptanceId, bytes32 maker, bytes32 quoteId, bytes32 content) private {
        bytes32 before = spend(USED_ACCEPTANCE, taker, acceptanceId, content);
        if (before == content) revert AcceptanceUsed(taker, acceptanceId);
        if (before != 0) revert AcceptanceUsedOtherwise(taker, acceptanceId);
        if (spend(USED_QUOTE, maker, quoteId, content) != 0) revert QuoteUsed(maker, quoteId);
    }

    /** A quote is its signer's who signed when it was accepted. */
    function requireQuote(bytes32 structHash, bytes calldata signature, bytes32 maker, uint64 acceptedAt) private view {
        requireQuoteSigned(structHash, signature, maker, acceptedAt, acceptedAt);
    }

    /** A confirmation came later than the acceptance: whoever signed then, or has since, may have signed it. */
    function requireConfirmation(bytes32 structHash, bytes calldata signature, bytes32 maker, uint64 acceptedAt) private view {
        requireQuoteSigned(structHash, signature, maker, acceptedAt, uint64(block.timestamp));
    }

    function requireSameLength(uint256 ids, uint256 outcomes) private pure {
        if (ids != outcomes) revert LengthMismatch(ids, outcomes);
    }

    /** The operator attests when the acceptance came; how wrong it can be is bounded. */
    function requireAccepted(uint64 acceptedAt, uint64 expiry) private view {
        if (acceptedAt > block.timestamp || block.timestamp - acceptedAt > acceptDelayMax) {
            revert AcceptedAtWrong(acceptedAt, block.timestamp);
        }
        if (acceptedAt >= expiry) revert QuoteExpired(expiry, acceptedAt);
    }

    function requireBound(Quote calldata quote, Acceptance calldata acceptance, Confirmation calldata confirmation) private pure {
        if (quote.maker == acceptance.taker) revert SameAccount(quote.maker);
        if (confirmation.maker != quote.maker) revert TermsDiffer("maker");
        if (acceptance.rfqId != quote.rfqId || confirmation.rfqId != quote.rfqId) revert TermsDiffer("rfqId");
        if (confirmation.quoteId != acceptance.quoteId) revert TermsDiffer("quoteId");
        if (confirmation.acceptanceId != acceptance.acceptanceId) revert TermsDiffer("acceptanceId");
        if (acceptance.payout != quote.payout || confirmation.payout != quote.payout) revert TermsDiffer("payout");
        if (acceptance.takerFeeBps != quote.takerFeeBps || confirmation.takerFeeBps != quote.takerFeeBps) {
            revert TermsDiffer("takerFeeBps");
        }
        if (acceptance.feeBps != quote.feeBps || confirmation.feeBps != quote.feeBps) revert TermsDiffer("feeBps");
        if (quote.takerFeeBps > BPS) revert RateTooHigh(quote.takerFeeBps);
        if (quote.feeBps > BPS) revert RateTooHigh(quote.feeBps);
    }

    function requireSaleBound(CashoutQuote calldata quote, CashoutAcceptance calldata acceptance, CashoutConfirmation calldata confirmation)
        private
        pure
    {
        if (quote.maker == acceptance.seller) revert SameAccount(quote.maker);
        if (confirmation.maker != quote.maker) revert TermsDiffer("maker");
        if (acceptance.rfqId != quote.rfqId || confirmation.rfqId != quote.rfqId) revert TermsDiffer("rfqId");
        if (confirmation.quoteId != acceptance.quoteId) revert TermsDiffer("quoteId");
        if (confirmation.acceptanceId != acceptance.acceptanceId) revert TermsDiffer("acceptanceId");
        if (acceptance.positionId != quote.positionId || confirmation.positionId != quote.positionId) revert TermsDiffer("positionId");
        if (acceptance.price != quote.price || confirmation.price != quote.price) revert TermsDiffer("price");
        if (acceptance.feeBps != quote.feeBps || confirmation.feeBps != quote.feeBps) revert TermsDiffer("feeBps");
    }

    function requireUnresolved(bytes32 positionId, PositionState state, Outcome outcome) private pure {
        if (state == PositionState.open) return;
        if (state == PositionState.none || state == PositionState.closed) revert PositionNotOpen(positionId, state);
        bool won = state == PositionState.won || state == PositionState.claimed;
        Outcome before = won ? Outcome.won : state == PositionState.lost ? Outcome.lost : Outcome.void;
        if (before != outcome) revert ResolvedOtherwise(positionId, state);
        revert AlreadyResolved(positionId, outcome);
    }
}
