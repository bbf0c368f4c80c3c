"""The phrases of the phrase book give the numbers of what stands beside them: R 4.2.2, Stata by its formulas in R.

Each entry of `R` and `STATA` is the left side of a row, what is read from the result of the right side, and the numbers
that R printed for the expression above them. In R:

    B <- read.csv("birthwt.csv"); B$race <- factor(c("white", "black", "other")[B$race]); n <- head(B, 5)
    e <- list(epsilon = 1e-14, maxit = 100); g <- function(f, l = "logit") glm(f, binomial(l), B, control = e)
    m <- g(low ~ age + lwt + race); I <- read.csv("iris.csv"); I$species <- factor(I$species); i <- I[c(71, 84, 120), ]
"""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from tests.contract.test_phrase_book import BOOK, names

SECTIONS = re.split(r"^## From .+$", BOOK.read_text(encoding="utf-8"), flags=re.M)[1:]


def rows_of(section):
    """Return the right side of each row of a section by its left side."""
    return dict(re.findall(r"^\| (.+?) \| `(.+)` \|$", SECTIONS[section], re.M))


def coefficients(model):
    """Return intercept and weights of two classes."""
    inner = getattr(model, "estimator_", model)
    return [*inner.intercept_, *inner.coef_[0]] if inner.fit_intercept else list(inner.coef_[0])


def flowers(names_of):
    return names_of["iris"].iloc[[70, 83, 119]]


def column(name):
    """Return a function that reads a column of a summary."""
    return lambda summary: summary.to_frame("pandas")[name]


def posterior(model):
    """Return P(class | row) of three flowers, class by class, as R prints a matrix."""
    return model.predict_proba(flowers(names())[list(model.feature_names_in_)]).T.ravel()


R = {
    # coef(m)
    "`glm(low ~ age + lwt + race, binomial, births)`": (
        coefficients, [2.3105631702769, -0.0255237936082, -0.0143532313962, -0.5603611330604, -1.0038219487249]),
    # coef(g(low ~ age + lwt, "probit"))
    '`glm(…, binomial("probit"))`': (coefficients, [1.01809018431321, -0.02440817297839, -0.00740541823535]),
    # D <- data.frame(s = c(1, 3, 6), f = c(9, 7, 4), x = 1:3); coef(glm(cbind(s, f) ~ x, binomial, D, control = e))
    "`glm(cbind(s, f) ~ x, binomial)`": (coefficients, [-3.45784581197, 1.29170966895]),
    # B$w <- 1; B$o <- 0.1; coef(glm(low ~ age, binomial, B, weights = w, offset = o, control = e))
    "`glm(…, weights = w, offset = o)`": (coefficients, [0.2845819243717, -0.0511529422526]),
    # coef(g(low ~ relevel(race, "white")))
    '`relevel(race, "white")`': (coefficients, [-1.154965225219, 0.844810296915, 0.636171431804]),
    # coef(g(low ~ factor(smoke) + I(age^2) + age * lwt - 1))
    "`factor(smoke)`, `I(age^2)`, `a * b`, `- 1`": (
        lambda model: dict(zip(model.coefficient_names_, model.coef_[0], strict=True)),
        {"C(smoke)[0]": -1.237840120270741, "C(smoke)[1]": -0.560711760262529, "I(age ** 2)": -0.007327006880331,
         "age": 0.250039198413534, "lwt": -0.023436704152016, "age:lwt": 0.000490349227223}),
    # coef(g(low ~ splines::bs(age, df = 4)))
    "`splines::bs(age, df = 4)`": (
        coefficients, [0.60091777841, -2.49383580369, 1.55680193851, -5.58202741158, -4.39324232319]),
    # coef(summary(m))[, 4]
    "`summary(m)`": (
        column("p_value"), [0.0439490759947, 0.4427343840626, 0.0277746388835, 0.2745322317565, 0.0438367942031]),
    # coef(m)
    "`coef(m)`": (
        lambda told: [*told[0], *told[1][0]],
        [2.3105631702769, -0.0255237936082, -0.0143532313962, -0.5603611330604, -1.0038219487249]),
    # exp(coef(m))
    "`exp(coef(m))`": (
        lambda ratios: ratios.estimate,
        [10.080099869442, 0.974799184700, 0.985749285162, 0.571002818615, 0.366476108252]),
    # sqrt(diag(vcov(m)))
    "`vcov(m)`": (
        lambda V: np.sqrt(np.diagonal(V)),
        [1.14692271248962, 0.03325211877469, 0.00652284744659, 0.51282963919198, 0.49801450288411]),
    # sqrt(diag(sandwich(m)))
    "`sandwich(m)`": (
        lambda V: np.sqrt(np.diagonal(V)),
        [1.12488307172976, 0.0312430486118093, 0.00642473148519355, 0.52435441066385169, 0.51722225616593631]),
    # sqrt(diag(vcovHC(m, type = "HC1")))
    '`vcovHC(m, type = "HC1")`': (
        lambda V: np.sqrt(np.diagonal(V)),
        [1.14006436659711, 0.0316647012666054, 0.00651143893556897, 0.531431038558189, 0.524202629308809]),
    # sqrt(diag(vcovCL(m, ~age)))
    "`vcovCL(m, ~age)`": (
        lambda V: np.sqrt(np.diagonal(V)),
        [1.12677846168013, 0.0287943765962082, 0.00764897875300757, 0.463401401648425, 0.424564188003457]),
    # sqrt(diag(sandwich(g(low ~ age, "probit"))))
    '`sandwich(glm(…, binomial("probit")))`': (
        lambda V: np.sqrt(np.diagonal(V)), [0.4070432899932, 0.0171534627769]),
    # B$w <- 1.5; SE(svyglm(low ~ age, svydesign(~1, weights = ~w, data = B), family = quasibinomial(), control = e))
    "`svyglm(low ~ age, svydesign(~1, weights = ~w, …))`": (
        lambda V: np.sqrt(np.diagonal(V)), [0.682733994664002, 0.0291027356736392]),
    # confint.default(m)
    "`confint.default(m)`": (
        lambda bounds: bounds.T.ravel(),
        [0.06263596074626, -0.09069674881624, -0.02713777746812, -1.56548875608131, -1.97991243815638,
         4.55849037980754, 0.03964916159985, -0.00156868532419, 0.44476648996060, -0.02773145929343]),
    # predict(m, n)
    '`predict(m, new, type = "link")`': (
        lambda eta: eta, [-0.786677022378, -1.316834018257, -0.710823947208, -0.779407435004, -0.688482822784]),
    # predict(m, n, type = "response")
    '`predict(m, new, type = "response")`': (
        lambda p: p, [0.312882622112, 0.211345512588, 0.329416803546, 0.314447611435, 0.334370661815]),
    # p <- predict(m, n, se.fit = TRUE); z <- qnorm(.975); plogis(p$fit - z * p$se.fit), plogis(p$fit + z * p$se.fit)
    "`with(predict(m, new, se.fit = TRUE), plogis(fit + c(-1.96, 1.96) * se.fit))`": (
        lambda frame: [*frame["1_lower"], *frame["1_upper"]],
        [0.1454689258412, 0.0948958351515, 0.2159133230278, 0.2101564133227, 0.2114363186227,
         0.549149848592, 0.406513381903, 0.467046496566, 0.441560309822, 0.484835567459]),
    # anova(g(low ~ age + lwt), m, test = "LRT"): Df, Deviance, Pr(>Chi)
    '`anova(small, m, test = "LRT")`': (
        lambda test: [test.df, test.statistic, test.p_value], [2, 4.462750981981, 0.107380627423]),
    # anova(g(low ~ age), g(low ~ age + lwt), m, test = "LRT"): Deviance
    '`anova(smallest, small, m, test = "LRT")`': (
        lambda found: [test.statistic for test in found.tests], [4.78857002434535, 4.46275098198097]),
    # logLik(m), deviance(m), AIC(m), BIC(m)
    "`logLik(m)`, `deviance(m)`, `AIC(m)`, `BIC(m)`, also of `cbind(successes, failures)`": (
        lambda told: told, [-111.330318728, 222.660637455, 232.660637455, 248.869372530]),
    # residuals(m, "pearson")[1:5]
    '`residuals(m, "pearson")`': (
        lambda residuals: residuals[:5],
        [-0.674800281473, -0.517670153356, -0.700884637752, -0.677257504320, -0.708757805187]),
    # cooks.distance(m)[1:5]
    "`cooks.distance(m)`": (
        lambda distances: distances[:5],
        [0.00551559507599, 0.00221396190950, 0.00196792073337, 0.00157878607296, 0.00240273919150]),
    # brglm2::brglm(HG ~ NV + PI + EH, binomial, endometrial, type = "MPL_Jeffreys")
    "`logistf::logistf(…)`, `brglm2`": (
        coefficients, [3.77455971364711, 2.92927335319712, -0.0347517598704367, -2.60416392529368]),
    # 2 * (penalised log likelihood - that with the coefficient at 0), pchisq(…, 1, lower.tail = FALSE)
    "`summary(logistf(…))`: p-values and limits": (
        column("p_value"), [4.193627885587e-03, 9.123667547085e-03, 3.874822035664e-01, 2.506867214856e-05]),
    "`logistftest(…, ~ NV)`": (lambda test: [test.statistic, test.df], [6.7984572486661, 1]),
    # q <- nnet::multinom(species ~ sepal_width, I, reltol = 1e-15, maxit = 1000); t(summary(q)$standard.errors)
    "`summary(nnet::multinom(species ~ sepal_width))`": (
        column("standard_error"), [3.064290804514, 0.991225238414, 2.688316502883, 0.843559384168]),
    # predict(MASS::lda(species ~ ., I), i)$posterior
    "`MASS::lda(species ~ ., iris)`": (
        posterior, [7.40811758162e-28, 4.24195194474e-32, 1.59851089005e-33, 2.53228224738e-01, 1.43391908079e-01,
                    2.20798984305e-01, 7.46771775262e-01, 8.56608091921e-01, 7.79201015695e-01]),
    # predict(MASS::qda(species ~ ., I), i)$posterior
    "`MASS::qda(species ~ ., iris)`": (
        posterior, [1.05272330017e-103, 4.10200926806e-114, 4.27836870777e-111, 3.35944183124e-01, 1.54348330982e-01,
                    4.11013085164e-02, 6.64055816876e-01, 8.45651669018e-01, 9.58898691484e-01]),
    # products of dnorm(x, mean, sd) by class, which is what naiveBayes does
    "`e1071::naiveBayes(species ~ ., iris)`": (
        posterior, [1.05334129596e-127, 1.08730157056e-132, 2.08250961497e-123, 1.60936052482e-01, 6.13435476699e-01,
                    9.56162608423e-01, 8.39063947518e-01, 3.86564523301e-01, 4.38373915768e-02]),
}  # fmt: skip

STATA = {
    # coef(summary(m))[, 4]
    "`logit low age lwt i.race`": R["`summary(m)`"],
    # s <- g(low ~ age + lwt); exp(coef(s)), and its standard errors exp(coef(s)) * sqrt(diag(vcov(s)))
    "`logistic low age lwt`": (
        lambda summary: [*column("estimate")(summary), *column("standard_error")(summary)],
        [5.747548949765, 0.960993212795, 0.987305845045, 5.73086160580465, 0.03102789346434, 0.00613237781641]),
    # coef(g(low ~ age + lwt, "cloglog"))
    "`probit`, `cloglog`": (column("estimate"), [1.1502773030914, -0.0315025029293, -0.0111674369241]),
    # coef(g(low ~ age * factor(smoke)))
    "`c.age##i.smoke`": (
        lambda model: dict(zip(("(Intercept)", *model.coefficient_names_), coefficients(model), strict=True)),
        {"(Intercept)": 0.8049928796071, "age": -0.0828798326903, "C(smoke)[T.1]": -0.9634224998533,
         "age:C(smoke)[T.1]": 0.0730830821399}),
    # s <- glm(low ~ age + lwt + smoke, binomial, B[rep(1:189, B$ftv + 1), ], control = e); coef(s), sqrt(diag(vcov(s)))
    "`[fw = w]`": (
        lambda model: [*coefficients(model), *model.standard_errors()],
        [3.04799431346527, -0.10108124964814, -0.01427907840969, 0.65223390234963,
         0.81377469206337, 0.02600947917864, 0.00472296817793, 0.25538173149591]),
    # B$w <- B$ftv + 1.5; s <- svyglm(low ~ age + lwt + smoke, svydesign(~1, weights = ~w, data = B)); coef(s), SE(s)
    "`[pw = w]`": (
        lambda summary: [*column("estimate")(summary), *column("standard_error")(summary)],
        [2.66090135328982, -0.08708108511746, -0.01372987569645, 0.64928282884578,
         1.10091147127369, 0.03219799674021, 0.00700732276679, 0.35653241739185]),
    # V <- sandwich(m) * 189 / 188; sqrt(diag(V)); b <- coef(m)[-1]; b %*% solve(V[-1, -1]) %*% b
    "`vce(robust)`": (
        lambda summary: [*column("standard_error")(summary), summary.facts.wald_statistic],
        [1.1278708142344, 0.0313260316228, 0.0064417958751, 0.5257471207149, 0.5185960228782, 10.8104361888]),
    # V <- vcovCL(m, ~age), which is 24 / 23 times the sandwich
    "`vce(cluster age)`": (
        lambda summary: [*column("standard_error")(summary), summary.facts.wald_statistic],
        [1.12677846168013, 0.02879437659621, 0.00764897875301, 0.46340140164842, 0.42456418800346, 13.895657406]),
    "`mlogit species sepal_width, baseoutcome(1)`": R["`summary(nnet::multinom(species ~ sepal_width))`"],
    # s <- g(low ~ age + lwt); mean(p * (1 - p)) * coef(s)[-1] with p its probabilities, and the delta method on vcov(s)
    "`margins, dydx(*)` (numeric columns only: no factor, interaction or power)": (
        lambda found: [*found.effects, *found.errors],
        [-0.008221320502387, -0.002639764551537, 0.006581715958114, 0.001239009827513]),
    # the same with p the probability at colMeans(model.matrix(s))
    "`margins, dydx(*) atmeans` (likewise)": (
        lambda found: [*found.effects, *found.errors],
        [-0.008398853322344, -0.002696768149040, 0.006793043363144, 0.001291523601613]),
    "`predict p, pr`": (lambda p: p[:5], R['`predict(m, new, type = "response")`'][1]),
    "`predict xb, xb`": (lambda eta: eta[:5], R['`predict(m, new, type = "link")`'][1]),
    # x <- coef(m)[2:3]; x %*% solve(vcov(m)[2:3, 2:3]) %*% x; pchisq(…, 2, lower.tail = FALSE)
    "`test age lwt`": (lambda test: [test.statistic, test.p_value], [6.1412913045212, 0.0463911926075]),
    "`lrtest small .`": R['`anova(small, m, test = "LRT")`'],
    "`estat ic`": (lambda told: told, [232.660637455, 248.869372530]),
    "`firthlogit hg nv pi eh`": R["`logistf::logistf(…)`, `brglm2`"],
}  # fmt: skip

#: Rows about something else than numbers, or whose numbers are tested below or elsewhere.
OTHERS = {
    "`confint(m)`", "`detectseparation`", "`na.action = na.omit`", '`saveRDS(m, "m.rds")`', "`ib3.race`",
}  # fmt: skip


@pytest.mark.parametrize(("section", "phrase"), [*((0, left) for left in R), *((1, left) for left in STATA)])
def test_a_phrase_has_the_number_of_what_stands_beside_it(section, phrase, tmp_path):
    read, wanted = (R, STATA)[section][phrase]
    found = read(eval(rows_of(section)[phrase], {**names(), "folder": tmp_path}))
    if isinstance(wanted, dict):
        assert set(found) == set(wanted)
        found, wanted = [found[name] for name in wanted], list(wanted.values())
    np.testing.assert_allclose(np.asarray(found, dtype=float), wanted, rtol=2e-7, atol=1e-11)


def test_every_row_about_r_and_stata_is_checked():
    assert set(rows_of(0)) | set(rows_of(1)) <= set(R) | set(STATA) | OTHERS


def test_confint_interpolates_what_is_solved_here():
    """confint(m) of R; its limits agree to three digits, those here with the likelihood to nine (tests/inference)."""
    wanted = [0.1285938401828, -0.0924365171958, -0.0279074658358, -1.5778846767911, -1.9909926679762,
              4.6465768018460, 0.0386038918785, -0.0022164531449, 0.4482332704689, -0.0224255549634]  # fmt: skip
    found = eval(rows_of(0)["`confint(m)`"], names()).T.ravel()
    assert np.abs(found - wanted).max() < 5e-3


def test_the_third_level_is_the_reference_of_ib3():
    """coef(g(low ~ age + relevel(race, "other"))): here with all columns, so only what the levels are is compared."""
    model = eval(rows_of(1)["`ib3.race`"], names())
    assert [name for name in model.get_feature_names_out() if name.startswith("race")] == ["race=black", "race=white"]


def test_separating_columns_are_those_of_detectseparation():
    """detect_separation of R: NV is infinite, the others finite."""
    assert list(eval(rows_of(0)["`detectseparation`"], names())) == ["NV"]


def test_dfbetas_are_one_newton_step_in_standard_errors_of_the_fit():
    """V <- vcov(m); V %*% model.matrix(m)[1, ] * (B$low[1] - fitted(m)[1]) / (1 - hatvalues(m)[1]) / sqrt(diag(V))."""
    wanted = [-0.0003490204764841, 0.0402742992459149, -0.0913195871438681, 0.0790126042342120, 0.0874921670205103]
    m, births = names()["m"], names()["births"]
    np.testing.assert_allclose(m.influence(births, "low").dfbetas[0], wanted, rtol=1e-7)


def test_bic_of_grouped_data_is_that_of_r():
    """E <- read.csv("beetles.csv"); BIC(glm(cbind(killed, n - killed) ~ dose, binomial, E, control = e))."""
    from tests.golden.test_sandwiches import grouped

    assert grouped("logit")[2].bic_ == pytest.approx(41.58915239787147, rel=1e-9)


SKLEARN = {
    "`LogisticRegression(C=0.5)`": lambda X, y: LogisticRegression(C=0.5, tol=1e-10, solver="newton-cholesky").fit(
        X, y
    ),
    "`LogisticRegression(penalty=None)`": lambda X, y: LogisticRegression(
        C=np.inf, tol=1e-10, solver="newton-cholesky"
    ).fit(X, y),
    "`class_weight={0: 1, 1: 3}`": lambda X, y: LogisticRegression(
        C=np.inf, class_weight={0: 1, 1: 3}, tol=1e-10, solver="newton-cholesky"
    ).fit(X, y),
    "`LinearDiscriminantAnalysis()`": lambda X, y: LinearDiscriminantAnalysis(solver="lsqr").fit(X, y),
    "`QuadraticDiscriminantAnalysis(solver='eigen')`": lambda X, y: QuadraticDiscriminantAnalysis(solver="eigen").fit(
        X, y
    ),
    "`GaussianNB(var_smoothing=0)`": lambda X, y: GaussianNB(var_smoothing=0).fit(X, y),
    "`BernoulliNB(alpha=1)`": lambda X, y: BernoulliNB(alpha=1).fit(X, y),
}


@pytest.mark.parametrize("phrase", SKLEARN)
def test_a_phrase_has_the_probabilities_of_scikit_learn(phrase):
    births = names()["births"]
    X = births[["smoke", "ht"]] if "Bernoulli" in phrase else names()["X"]
    theirs = SKLEARN[phrase](X, births["low"])
    ours = eval(rows_of(2)[phrase], names())
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-6)
    assert pd.Index(ours.classes_).equals(pd.Index(theirs.classes_))
