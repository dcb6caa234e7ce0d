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

struct Account {
    /** The wallet, which signs for the account and is the only one that its money leaves to. */
    address owner;
    uint64 balance;
    uint32 signerChanges;
    address quoteSigner;
    /** Reductions that wait for their delay. */
    uint64 pending;
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

struct Reduction {
    bytes32 accountId;
    uint64 amount;
    uint64 releaseAt;
    bool released;
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

/** What stays as it is for the vault's life; times in seconds. */
struct Settings {
    /** How long after its acceptance a trade may reach the chain. */
    uint64 acceptDelayMax;
    uint64 reductionDelay;
    /** A cash-out takes the fee on its profit and sets the basis to the price; else only claims do. */
    bool feeOnCashout;
    /** Profit is counted from the stake; else from the stake less the entry fee. */
    bool profitOverGross;
}

/**
 * Holds the USDC of the outcome service's accounts. Users sign and never send: the operator sends what they signed. Money leaves an
 * account only by its wallet's signature, and the vault only to that wallet. Amounts are microUSDC, times seconds of Unix time.
 */
contract Vault {
    using Token for Usdc;

    uint256 public constant CHAIN_ID = 999;
    uint256 public constant BPS = 10_000;
    /** The most that the vault may owe: 4,000,000,000 USDC. */
    uint256 public constant OWED_MAX = 4_000_000_000_000_000;

    Usdc public immutable usdc;
    uint64 public immutable acceptDelayMax;
    uint64 public immutable reductionDelay;
    bool public immutable feeOnCashout;
    bool public immutable profitOverGross;

    address public operator;
    uint64 public house;
    address public proposedOperator;
    /** All balances, reductions that wait, open positions and the house. */
    uint64 public owed;
    bool private transient entered;

    mapping(bytes32 accountId => Account) public accounts;
    mapping(bytes32 positionId => Position) public positions;
    mapping(bytes32 reductionId => Reduction) public reductions;
    /** Acceptances, requests and deposits that are done, by kind, account and id. */
    mapping(bytes32 key => bool) private used;

    bytes32 private constant USED_ACCEPTANCE = "acceptance";
    bytes32 private constant USED_REQUEST = "request";
    bytes32 private constant USED_DEPOSIT = "deposit";

    event Registered(bytes32 indexed accountId, address owner, address quoteSigner);
    event QuoteSignerChanged(bytes32 indexed accountId, address quoteSigner);
    event Deposited(bytes32 indexed accountId, uint256 amount, bytes32 depositId);
    event Withdrawn(bytes32 indexed accountId, uint256 amount, bytes32 requestKey);
    event ReductionStarted(bytes32 indexed reductionId, bytes32 indexed accountId, uint256 amount, uint64 releaseAt);
    event ReductionReleased(bytes32 indexed reductionId, bytes32 indexed accountId, uint256 amount);
    event PositionOpened(
        bytes32 indexed positionId, bytes32 indexed holder, bytes32 indexed backer, uint256 stake, uint256 core, uint256 netStake, uint256 payout
    );
    event PositionResolved(bytes32 indexed positionId, Outcome outcome);
    event PositionClaimed(bytes32 indexed positionId, bytes32 indexed holder, uint256 paid, uint256 fee);
    event PositionClosed(bytes32 indexed positionId, bytes32 indexed seller, uint256 price, uint256 fee);
    event PositionTransferred(bytes32 indexed positionId, bytes32 indexed seller, bytes32 indexed buyer, uint256 price, uint256 fee);
    event Collected(address indexed to, uint256 amount);
    event OperatorProposed(address proposed);
    event OperatorChanged(address operator);

    error WrongChain(uint256 chainId);
    error ZeroAddress();
    error NotOperator(address caller);
    error NotProposed(address caller);
    error Reentered();
    error CallFailed(uint256 index, bytes reason);
    error LengthMismatch(uint256 ids, uint256 outcomes);

    // What these refuse is done already.
    error AlreadyRegistered(bytes32 accountId, address owner, address quoteSigner);
    error AcceptanceUsed(bytes32 accountId, bytes32 acceptanceId);
    error RequestUsed(bytes32 accountId, bytes32 requestKey);
    error DepositUsed(bytes32 accountId, bytes32 depositId);
    error AlreadyResolved(bytes32 positionId, Outcome outcome);
    error AlreadyClaimed(bytes32 positionId);
    error AlreadyReleased(bytes32 reductionId);

    error UnknownAccount(bytes32 accountId);
    error AmountOutOfRange(uint256 amount);
    error InsufficientBalance(bytes32 accountId, uint256 balance, uint256 amount);
    error InsufficientHouse(uint256 balance, uint256 amount);
    error OwedTooMuch(uint256 owed);
    error RateTooHigh(uint64 bps);
    error TermsDiffer(bytes32 field);
    error NetStakeWrong(uint256 expected, uint256 actual);
    error PayoutTooLow(uint256 payout, uint256 netStake);
    error CoreTooHigh(uint256 core, uint256 stake);
    error CoreSignatureUnasked();
    error PriceTooHigh(uint256 price, uint256 payout);
    error SameAccount(bytes32 accountId);
    error OutsideWindow(uint64 validAfter, uint64 validBefore, uint256 timestamp);
    error QuoteExpired(uint64 expiry, uint64 acceptedAt);
    error ExitExpired(uint64 exitExpiry, uint256 timestamp);
    error AcceptedAtWrong(uint64 acceptedAt, uint256 timestamp);
    error PositionExists(bytes32 positionId);
    error PositionNotOpen(bytes32 positionId, PositionState state);
    error PositionNotWon(bytes32 positionId, PositionState state);
    error ResolvedOtherwise(bytes32 positionId, PositionState state);
    error NotHolder(bytes32 positionId, bytes32 accountId);
    error ReductionExists(bytes32 reductionId);
    error UnknownReduction(bytes32 reductionId);
    error ReductionNotDue(bytes32 reductionId, uint64 releaseAt);

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    modifier once() {
        if (entered) revert Reentered();
        entered = true;
        _;
        entered = false;
    }

    constructor(Usdc usdc_, address operator_, Settings memory settings) {
        if (block.chainid != CHAIN_ID) revert WrongChain(block.chainid);
        if (operator_ == address(0) || address(usdc_).code.length == 0) revert ZeroAddress();
        usdc = usdc_;
        operator = operator_;
        acceptDelayMax = settings.acceptDelayMax;
        reductionDelay = settings.reductionDelay;
        feeOnCashout = settings.feeOnCashout;
        profitOverGross = settings.profitOverGross;
        emit OperatorChanged(operator_);
    }

    // ---- operator

    /** Runs calls of this vault in order, all or none; `CallFailed` says which one reverted, and with what. */
    function batch(bytes[] calldata calls) external onlyOperator {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory reason) = address(this).delegatecall(calls[i]);
            if (!ok) revert CallFailed(i, reason);
        }
    }

    function proposeOperator(address next) external onlyOperator {
        proposedOperator = next;
        emit OperatorProposed(next);
    }

    function acceptOperator() external {
        if (msg.sender != proposedOperator) revert NotProposed(msg.sender);
        operator = msg.sender;
        proposedOperator = address(0);
        emit OperatorChanged(msg.sender);
    }

    /** Pays fees that the house has earned. */
    function collect(uint256 amount, address to) external onlyOperator once {
        if (to == address(0) || to == address(this)) revert ZeroAddress();
        uint64 paid = amountOf(amount);
        if (paid > house) revert InsufficientHouse(house, paid);
        house -= paid;
        owed -= paid;
        emit Collected(to, paid);
        usdc.pay(to, paid);
    }

    // ---- accounts

    /** The wallet consents by its signature of `Registration`; an account has one wallet for life. */
    function register(bytes32 accountId, address owner, address quoteSigner, bytes calldata signature) external onlyOperator {
        if (owner == address(0) || owner == address(this) || quoteSigner == address(0)) revert ZeroAddress();
        Account storage account = accounts[accountId];
        if (account.owner != address(0)) revert AlreadyRegistered(accountId, account.owner, account.quoteSigner);
        Terms.requireSigned(Terms.hashOfRegistration(accountId, owner, quoteSigner), signature, owner);
        account.owner = owner;
        account.quoteSigner = quoteSigner;
        emit Registered(accountId, owner, quoteSigner);
    }

    /** The wallet names who signs quotes and confirmations from now on; the n-th change is signed with nonce n − 1. */
    function setQuoteSigner(bytes32 accountId, address quoteSigner, bytes calldata signature) external onlyOperator {
        if (quoteSigner == address(0)) revert ZeroAddress();
        Account storage account = known(accountId);
        Terms.requireSigned(Terms.hashOfQuoteSigner(accountId, quoteSigner, account.signerChanges), signature, account.owner);
        account.signerChanges++;
        account.quoteSigner = quoteSigner;
        emit QuoteSignerChanged(accountId, quoteSigner);
    }

    /** Credits an account with what the caller has approved. */
    function deposit(bytes32 accountId, uint256 amount) external once {
        uint64 added = credit(accountId, amount, 0);
        usdc.take(msg.sender, added);
    }

    /** Credits an account out of its wallet by the EIP-3009 authorization whose nonce is `depositNonce(accountId, depositId)`. */
    function depositWithAuthorization(
        bytes32 accountId,
        uint256 amount,
        bytes32 depositId,
        uint256 validBefore,
        bytes calldata signature
    ) external onlyOperator once {
        bytes32 key = usedKey(USED_DEPOSIT, accountId, depositId);
        if (used[key]) revert DepositUsed(accountId, depositId);
        used[key] = true;
        uint64 added = credit(accountId, amount, depositId);
        usdc.takeAuthorized(accounts[accountId].owner, added, validBefore, Terms.depositNonce(accountId, depositId), signature);
    }

    function withdraw(Withdrawal calldata terms, bytes calldata signature) external onlyOperator once {
        useRequest(terms.account, terms.requestKey);
        requireWindow(terms.validAfter, terms.validBefore);
        pay(Terms.hashOf(terms), signature, terms.account, terms.amount, terms.requestKey);
    }

    /** A withdrawal that ends with its Exit besides. */
    function withdrawExit(ExitWithdrawal calldata terms, bytes calldata signature) external onlyOperator once {
        useRequest(terms.account, terms.requestKey);
        requireWindow(terms.validAfter, terms.validBefore);
        if (block.timestamp >= terms.exitExpiry) revert ExitExpired(terms.exitExpiry, block.timestamp);
        pay(Terms.hashOf(terms), signature, terms.account, terms.amount, terms.requestKey);
    }

    /** Takes collateral out of a balance; `release` pays it once the delay is over. */
    function reduce(bytes32 reductionId, CollateralReduction calldata terms, bytes calldata signature) external onlyOperator {
        useRequest(terms.maker, terms.requestKey);
        Reduction storage reduction = reductions[reductionId];
        if (reduction.accountId != 0) revert ReductionExists(reductionId);
        Account storage account = known(terms.maker);
        Terms.requireSigned(Terms.hashOf(terms), signature, account.owner);
        uint64 amount = amountOf(terms.amount);
        debit(account, terms.maker, amount);
        account.pending += amount;
        reduction.accountId = terms.maker;
        reduction.amount = amount;
        reduction.releaseAt = uint64(block.timestamp) + reductionDelay;
        emit ReductionStarted(reductionId, terms.maker, amount, reduction.releaseAt);
    }

    /** Anyone may call; the money goes to the account's wallet. */
    function release(bytes32 reductionId) external once {
        Reduction storage reduction = reductions[reductionId];
        if (reduction.accountId == 0) revert UnknownReduction(reductionId);
        if (reduction.released) revert AlreadyReleased(reductionId);
        if (block.timestamp < reduction.releaseAt) revert ReductionNotDue(reductionId, reduction.releaseAt);
        Account storage account = accounts[reduction.accountId];
        uint64 amount = reduction.amount;
        reduction.released = true;
        account.pending -= amount;
        owed -= amount;
        emit ReductionReleased(reductionId, reduction.accountId, amount);
        usdc.pay(account.owner, amount);
    }

    // ---- positions

    /** Opens a position: net stake and risk become its pot, the entry fee the house's. */
    function fill(Fill calldata trade) external onlyOperator once {
        Quote calldata quote = trade.quote;
        Acceptance calldata acceptance = trade.acceptance;
        useAcceptance(acceptance.taker, acceptance.acceptanceId);
        if (positions[trade.positionId].state != PositionState.none) revert PositionExists(trade.positionId);
        requireBound(quote, acceptance, trade.confirmation);
        requireAccepted(trade.acceptedAt, quote.expiry);
        requireWindow(acceptance.validAfter, acceptance.validBefore);
        if (acceptance.validAfter > trade.acceptedAt) {
            revert OutsideWindow(acceptance.validAfter, acceptance.validBefore, trade.acceptedAt);
        }
        bytes32 acceptanceHash = Terms.hashOf(acceptance);
        address quoteSigner = known(quote.maker).quoteSigner;
        address taker = known(acceptance.taker).owner;
        Terms.requireSigned(Terms.hashOf(quote), trade.quoteSignature, quoteSigner);
        Terms.requireSigned(acceptanceHash, trade.acceptanceSignature, taker);
        Terms.requireSigned(Terms.hashOf(trade.confirmation), trade.confirmationSignature, quoteSigner);
        open(trade.positionId, quote, acceptance);
        if (acceptance.core > 0) {
            usdc.takeAuthorized(taker, uint64(acceptance.core), acceptance.validBefore, Terms.digestOf(acceptanceHash), trade.coreSignature);
        } else if (trade.coreSignature.length > 0) {
            revert CoreSignatureUnasked();
        }
    }

    /** The backing maker's quote closes the position out of its pot, another maker's takes it over. */
    function cashout(Cashout calldata sale) external onlyOperator {
        CashoutQuote calldata quote = sale.quote;
        CashoutAcceptance calldata acceptance = sale.acceptance;
        useAcceptance(acceptance.seller, acceptance.acceptanceId);
        requireSaleBound(quote, acceptance, sale.confirmation);
        requireAccepted(sale.acceptedAt, quote.expiry);
        address quoteSigner = known(quote.maker).quoteSigner;
        Terms.requireSigned(Terms.hashOf(quote), sale.quoteSignature, quoteSigner);
        Terms.requireSigned(Terms.hashOf(acceptance), sale.acceptanceSignature, known(acceptance.seller).owner);
        Terms.requireSigned(Terms.hashOf(sale.confirmation), sale.confirmationSignature, quoteSigner);

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
    function resolve(bytes32[] calldata positionIds, Outcome[] calldata outcomes) external onlyOperator {
        requireSameLength(positionIds.length, outcomes.length);
        for (uint256 i = 0; i < positionIds.length; i++) resolveOne(positionIds[i], outcomes[i]);
    }

    /** Resolves and claims in one. */
    function settleMany(bytes32[] calldata positionIds, Outcome[] calldata outcomes) external onlyOperator {
        requireSameLength(positionIds.length, outcomes.length);
        uint64 fees = 0;
        for (uint256 i = 0; i < positionIds.length; i++) {
            resolveOne(positionIds[i], outcomes[i]);
            if (outcomes[i] == Outcome.won) fees += claimOne(positionIds[i]);
        }
        if (fees > 0) house += fees;
    }

    /** Pays a won position into its holder's balance, less the fee on its profit. Anyone may call. */
    function claim(bytes32 positionId) external {
        house += claimOne(positionId);
    }

    function claimMany(bytes32[] calldata positionIds) external {
        uint64 fees = 0;
        for (uint256 i = 0; i < positionIds.length; i++) fees += claimOne(positionIds[i]);
        house += fees;
    }

    // ---- reads

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

    function isAcceptanceUsed(bytes32 accountId, bytes32 acceptanceId) external view returns (bool) {
        return used[usedKey(USED_ACCEPTANCE, accountId, acceptanceId)];
    }

    function isRequestUsed(bytes32 accountId, bytes32 requestKey) external view returns (bool) {
        return used[usedKey(USED_REQUEST, accountId, requestKey)];
    }

    function isDepositUsed(bytes32 accountId, bytes32 depositId) external view returns (bool) {
        return used[usedKey(USED_DEPOSIT, accountId, depositId)];
    }

    function digestOf(bytes32 structHash) external view returns (bytes32) {
        return Terms.digestOf(structHash);
    }

    // ---- money

    function credit(bytes32 accountId, uint256 amount, bytes32 depositId) private returns (uint64 added) {
        added = amountOf(amount);
        known(accountId).balance += added;
        owe(added);
        emit Deposited(accountId, added, depositId);
    }

    function debit(Account storage account, bytes32 accountId, uint64 amount) private {
        uint64 balance = account.balance;
        if (balance < amount) revert InsufficientBalance(accountId, balance, amount);
        account.balance = balance - amount;
    }

    function owe(uint64 amount) private {
        uint64 total = owed + amount;
        if (total > OWED_MAX) revert OwedTooMuch(total);
        owed = total;
    }

    function pay(bytes32 structHash, bytes calldata signature, bytes32 accountId, uint256 amount, bytes32 requestKey) private {
        Account storage account = known(accountId);
        Terms.requireSigned(structHash, signature, account.owner);
        uint64 paid = amountOf(amount);
        debit(account, accountId, paid);
        owed -= paid;
        emit Withdrawn(accountId, paid, requestKey);
        usdc.pay(account.owner, paid);
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

    function amountOf(uint256 amount) private pure returns (uint64) {
        if (amount == 0 || amount > OWED_MAX) revert AmountOutOfRange(amount);
        return uint64(amount);
    }

    // ---- conditions

    function known(bytes32 accountId) private view returns (Account storage account) {
        account = accounts[accountId];
        if (account.owner == address(0)) revert UnknownAccount(accountId);
    }

    function usedKey(bytes32 kind, bytes32 accountId, bytes32 id) private pure returns (bytes32) {
        return keccak256(abi.encode(kind, accountId, id));
    }

    function useAcceptance(bytes32 accountId, bytes32 acceptanceId) private {
        bytes32 key = usedKey(USED_ACCEPTANCE, accountId, acceptanceId);
        if (used[key]) revert AcceptanceUsed(accountId, acceptanceId);
        used[key] = true;
    }

    function useRequest(bytes32 accountId, bytes32 requestKey) private {
        bytes32 key = usedKey(USED_REQUEST, accountId, requestKey);
        if (used[key]) revert RequestUsed(accountId, requestKey);
        used[key] = true;
    }

    function requireSameLength(uint256 ids, uint256 outcomes) private pure {
        if (ids != outcomes) revert LengthMismatch(ids, outcomes);
    }

    function requireWindow(uint64 validAfter, uint64 validBefore) private view {
        if (block.timestamp < validAfter || block.timestamp >= validBefore) {
            revert OutsideWindow(validAfter, validBefore, block.timestamp);
        }
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
